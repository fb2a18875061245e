import LinuxIO

extension FileFault {
  /// One line about a file of the state, whose folder a variable may name.
  var textOfState: String {
    let isAboutFolder = remedy?.contains("name another") ?? false
    return "\(self)" + (isAboutFolder ? " in \(StatePlace.variable)" : "")
  }
}
