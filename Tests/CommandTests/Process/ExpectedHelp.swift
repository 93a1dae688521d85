/// The help pages as they were read and approved, for 80 columns.
enum ExpectedHelp {}
