/// The libraries that are loaded at their first use, and Avahi's daemon.
enum LibraryCheck {
  /// A library and what needs it.
  struct Library {
    /// The names by which it is loaded; one of them is enough.
    var files: [String]
    /// Debian's packages, that of Debian 13 first.
    var packages: [String]
    /// What it is for.
    var use: String
  }

  /// - Source: the `dlopen` of `Sources/CLinuxIO`, `CMosquitto`, `CCurl`, `CQRCode`, `CDatabase`
  ///   and `CCompression`.
  static let all = [
    Library(
      files: ["libgpiod.so.3", "libgpiod.so.2"], packages: ["libgpiod3", "libgpiod2"],
      use: "pulses and data-ready outputs at GPIO lines"),
    Library(
      files: ["libi2c.so.0"], packages: ["libi2c0"],
      use: "I2C adapters that support SMBus transfers only"),
    Library(
      files: ["libdbus-1.so.3"], packages: ["libdbus-1-3"],
      use: "beacons (BlueZ), Avahi and the desktop's compass"),
    Library(files: ["libmosquitto.so.1"], packages: ["libmosquitto1"], use: "MQTT"),
    Library(
      files: ["libcurl.so.4", "libcurl-gnutls.so.4"], packages: ["libcurl4t64", "libcurl4"],
      use: "positions by Wi-Fi, and corrections with TLS"),
    Library(
      files: ["libqrencode.so.4"], packages: ["libqrencode4"],
      use: "the QR code of 'lodestar token'"),
    Library(
      files: ["libsqlite3.so.0"], packages: ["libsqlite3-0"],
      use: "geocoding without a network, and bags of ROS 2"),
    Library(
      files: ["libzstd.so.1"], packages: ["libzstd1"], use: "small recordings, and reading them"),
    Library(
      files: ["liblz4.so.1"], packages: ["liblz4-1"],
      use: "recordings of other programs with LZ4"),
  ]

  static func findings(on machine: Machine) -> [MachineFinding] {
    guard machine.system.runsPrograms else { return [] }
    let missing = all.filter { !$0.files.contains(where: machine.system.loads) }
    guard !missing.isEmpty else {
      let generation = machine.system.loads("libgpiod.so.3") ? 2 : 1
      return [.ok(.libraries, "all optional libraries are installed; libgpiod \(generation)")]
    }
    return missing.map { library in
      let isNeeded = library.files.contains("libgpiod.so.3") && needsLines(machine)
      return MachineFinding(
        .libraryMissing, isNeeded ? .fault : .note,
        "\(library.files[0].prefix { $0 != "." }) is not installed",
        why: "needed for \(library.use)",
        remedy: .manual("sudo apt install \(package(of: library, machine))"))
    }
  }

  /// The package of this Debian: release 12 has the older one of those that were renamed. Other
  /// systems have one of them.
  private static func package(of library: Library, _ machine: Machine) -> String {
    let release = (machine.text("/etc/os-release") ?? "").split(separator: "\n")
    func has(_ key: String, _ values: [String]) -> Bool {
      values.contains { release.contains("\(key)=\($0)") || release.contains("\(key)=\"\($0)\"") }
    }
    guard has("ID", ["debian", "raspbian"]) else {
      return library.packages.joined(separator: " || sudo apt install ")
    }
    let isOlder = has("VERSION_ID", ["11", "12"])
    return (isOlder ? library.packages.last : library.packages.first) ?? library.files[0]
  }

  private static func needsLines(_ machine: Machine) -> Bool {
    guard let board = machine.board?.board else { return false }
    let isLine = board.receivers.compactMap(\.pulse).contains { !$0.source.hasPrefix("/") }
    return isLine || board.sensors.contains { $0.dataReadyLine != nil }
  }
}
