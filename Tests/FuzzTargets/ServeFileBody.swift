import Servers

/// The reader of the daemon's configuration file: known keys with values, options in range, or one
/// error with a line of the file.
struct ServeFileBody: FuzzBody {
  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    let text = String(decoding: input, as: UTF8.self)
    let read = outcome { () throws(ServeFileError) in try ServeFile(text, path: "fuzz.yaml") }
    guard case .success(let file) = read else { return try Self.check(read, input) }
    for key in ServeFile.keys { try expect(file[key]?.isEmpty != true, "an empty '\(key)'") }
    let applied = outcome { () throws(ServeFileError) in
      var configuration = ServeConfiguration(socketPath: "/socket", stateFolder: "/state")
      try file.apply(to: &configuration)
      return configuration
    }
    guard case .success(let configuration) = applied else { return try Self.check(applied, input) }
    try expect((0o600...0o666).contains(configuration.socketMode), "\(configuration.socketMode)")
    try expect((1...1024).contains(configuration.mostClients), "\(configuration.mostClients)")
    try expect(
      (1...1024).contains(configuration.mostApplications), "\(configuration.mostApplications)")
    try expect((1...86_400).contains(configuration.launchInterval), "a launch interval")
    try expect((0...3600).contains(configuration.launchGrace), "a launch grace")
  }

  private static func check<Value>(
    _ result: Result<Value, ServeFileError>, _ input: UnsafeRawBufferPointer
  ) throws(Violation) {
    switch result {
    case .success: break
    case .failure(.refused(_, let line, let found, let allowed)):
      try expectLine(line, of: input)
      try expect(!found.isEmpty && !allowed.isEmpty, "an error without a text")
    case .failure(let error): throw Violation("\(error)")
    }
  }
}
