/// Under which heading of the help page an option stands. Pages show the groups in this order.
enum OptionGroup: Int, Sendable, CaseIterable {
  case main
  case input
  case output
  case recording
  case device
  case observers
  case general

  var heading: String {
    switch self {
    case .main: "OPTIONS"
    case .input: "INPUT OPTIONS"
    case .output: "OUTPUT OPTIONS"
    case .recording: "RECORDING OPTIONS"
    case .device: "DEVICE OPTIONS"
    case .observers: "OBSERVERS"
    case .general: "GENERAL OPTIONS"
    }
  }
}
