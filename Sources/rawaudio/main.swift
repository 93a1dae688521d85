import AudioCore
print("0")
