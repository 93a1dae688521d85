// SPDX-License-Identifier: Apache-2.0
/// A tag of 128 bytes behind a file.
///
/// Source: id3.org, "ID3v1"; the byte for the track is Michael Mutschler's version 1.1.
enum OldID3Tag {
  static let identifier = "ID3v1"
  static let size = 128

  static func tags(_ bytes: [UInt8]) -> Metadata.Tags {
    var tags = Metadata.Tags()
    guard bytes.count >= size, bytes.has("TAG", at: 0) else { return tags }
    // An extension may stand in front.
    let bytes = Array(bytes.suffix(size))
    func text(_ range: Range<Int>) -> String { StoredText.decoded(fixed: bytes[range]) }
    tags.append("TITLE", text(3..<33))
    tags.append("ARTIST", text(33..<63))
    tags.append("ALBUM", text(63..<93))
    tags.append("DATE", text(93..<97))
    let hasTrack = bytes[125] == 0 && bytes[126] != 0
    tags.append("COMMENT", text(97..<(hasTrack ? 125 : 127)))
    if hasTrack { tags.append("TRACKNUMBER", String(bytes[126])) }
    if Int(bytes[127]) < Genres.all.count { tags.append("GENRE", Genres.all[Int(bytes[127])]) }
    return tags
  }
}

/// The genres that tags state by number.
enum Genres {
  /// The names of a genre in version 2: a name, a number, or numbers in parentheses followed by a name.
  static func names(_ text: String) -> [String] {
    if let name = name(text[...]) { return [name] }
    var rest = text[...]
    var names: [String] = []
    while rest.hasPrefix("("), !rest.hasPrefix("(("), let end = rest.firstIndex(of: ")"),
      let name = name(rest[..<end].dropFirst())
    {
      names.append(name)
      rest = rest[end...].dropFirst()
    }
    if rest.hasPrefix("((") { rest = rest.dropFirst() }
    // The name behind the numbers is more exact, or repeats them.
    if !rest.isEmpty, !names.contains(String(rest)) { names.append(String(rest)) }
    return names
  }

  private static func name(_ number: Substring) -> String? {
    if number == "RX" { return "Remix" }
    if number == "CR" { return "Cover" }
    guard number.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let index = Int(number),
      index < all.count
    else { return nil }
    return all[index]
  }

  /// By number: up to 79 from ID3v1 itself, the others from Winamp.
  static let all = [
    "Blues", "Classic Rock", "Country", "Dance", "Disco", "Funk", "Grunge", "Hip-Hop", "Jazz",
    "Metal", "New Age", "Oldies", "Other", "Pop", "R&B", "Rap", "Reggae", "Rock", "Techno",
    "Industrial", "Alternative", "Ska", "Death Metal", "Pranks", "Soundtrack", "Euro-Techno",
    "Ambient", "Trip-Hop", "Vocal", "Jazz+Funk", "Fusion", "Trance", "Classical", "Instrumental",
    "Acid", "House", "Game", "Sound Clip", "Gospel", "Noise", "Alternative Rock", "Bass", "Soul",
    "Punk", "Space", "Meditative", "Instrumental Pop", "Instrumental Rock", "Ethnic", "Gothic",
    "Darkwave", "Techno-Industrial", "Electronic", "Pop-Folk", "Eurodance", "Dream",
    "Southern Rock", "Comedy", "Cult", "Gangsta", "Top 40", "Christian Rap", "Pop/Funk", "Jungle",
    "Native American", "Cabaret", "New Wave", "Psychedelic", "Rave", "Showtunes", "Trailer",
    "Lo-Fi", "Tribal", "Acid Punk", "Acid Jazz", "Polka", "Retro", "Musical", "Rock & Roll",
    "Hard Rock", "Folk", "Folk-Rock", "National Folk", "Swing", "Fast Fusion", "Bebop", "Latin",
    "Revival", "Celtic", "Bluegrass", "Avantgarde", "Gothic Rock", "Progressive Rock",
    "Psychedelic Rock", "Symphonic Rock", "Slow Rock", "Big Band", "Chorus", "Easy Listening",
    "Acoustic", "Humour", "Speech", "Chanson", "Opera", "Chamber Music", "Sonata", "Symphony",
    "Booty Bass", "Primus", "Porn Groove", "Satire", "Slow Jam", "Club", "Tango", "Samba",
    "Folklore", "Ballad", "Power Ballad", "Rhythmic Soul", "Freestyle", "Duet", "Punk Rock",
    "Drum Solo", "A Cappella", "Euro-House", "Dance Hall", "Goa", "Drum & Bass", "Club-House",
    "Hardcore", "Terror", "Indie", "BritPop", "Afro-Punk", "Polsk Punk", "Beat",
    "Christian Gangsta Rap", "Heavy Metal", "Black Metal", "Crossover", "Contemporary Christian",
    "Christian Rock", "Merengue", "Salsa", "Thrash Metal", "Anime", "JPop", "Synthpop", "Abstract",
    "Art Rock", "Baroque", "Bhangra", "Big Beat", "Breakbeat", "Chillout", "Downtempo", "Dub",
    "EBM", "Eclectic", "Electro", "Electroclash", "Emo", "Experimental", "Garage", "Global", "IDM",
    "Illbient", "Industro-Goth", "Jam Band", "Krautrock", "Leftfield", "Lounge", "Math Rock",
    "New Romantic", "Nu-Breakz", "Post-Punk", "Post-Rock", "Psytrance", "Shoegaze", "Space Rock",
    "Trop Rock", "World Music", "Neoclassical", "Audiobook", "Audio Theatre",
    "Neue Deutsche Welle", "Podcast", "Indie Rock", "G-Funk", "Dubstep", "Garage Rock",
    "Psybient",
  ]
}
