import Chips
import LinuxIO
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("The system's user of a serial port", .timeLimit(.minutes(30)))
struct SerialOwnerTests {
  private func owner(of path: String, processes: TemporaryFolder) throws -> String {
    let failure = try failure {
      _ = try LinuxSerialPort(path: path, baud: 9600, processes: processes.path)
    }
    guard case .inUse(let owner) = failure.kind else { return "\(failure)" }
    return owner
  }

  /// The number after the last slash of `/dev/pts/3`, which is its name to the kernel.
  private func name(of terminal: PseudoTerminal) -> String {
    String(terminal.path.split(separator: "/").last ?? "")
  }

  @Test("the kernel's console is reported with the parameter to remove")
  func console() throws {
    let terminal = try PseudoTerminal()
    let name = name(of: terminal)
    let processes = try TemporaryFolder()
    try processes.file("consoles", "tty0   -WU (E  p  )    4:1\n\(name)   -W- (EC p a)  204:64\n")
    try processes.file("cmdline", "console=tty1 console=\(name),115200 root=/dev/mmcblk0p2\n")
    let owner = try owner(of: terminal.path, processes: processes)
    #expect(owner.hasPrefix("the serial console (remove console=\(name),115200 from"))
    #expect(owner.contains("raspi-config"))
  }

  @Test("a symbolic link is followed to the console that it names")
  func link() throws {
    let terminal = try PseudoTerminal()
    let processes = try TemporaryFolder()
    try processes.link("serial0", to: terminal.path)
    try processes.file("consoles", "\(name(of: terminal)) -W- (EC p a) 204:64\n")
    let owner = try owner(of: "\(processes.path)/serial0", processes: processes)
    #expect(owner.hasPrefix("the serial console"))
  }

  @Test("a login is reported with the service to stop, for any process name")
  func login() throws {
    let terminal = try PseudoTerminal()
    var status = stat()
    try #require(stat(terminal.path, &status) == 0)
    // Pseudo-terminals have major 136 and up to 256 minors, here below 256 (devices.txt).
    let device = Int(status.st_rdev & 0xFF) | Int(status.st_rdev >> 8 & 0xFFF) << 8
    let processes = try TemporaryFolder()
    try processes.file("consoles", "")
    try processes.file("1/stat", "1 (systemd) S 0 1 1 0 -1 4194560\n")
    try processes.file("417/stat", "417 (a ) name) S 1 417 417 \(device) 417 4194560\n")
    let owner = try owner(of: terminal.path, processes: processes)
    #expect(owner.contains("serial-getty@\(name(of: terminal)).service"))
  }

  @Test("a login on a terminal of the same number in another container is ignored")
  func container() throws {
    let terminal = try PseudoTerminal()
    var status = stat()
    try #require(stat(terminal.path, &status) == 0)
    let device = Int(status.st_rdev & 0xFF) | Int(status.st_rdev >> 8 & 0xFFF) << 8
    let processes = try TemporaryFolder()
    try processes.file("consoles", "")
    try processes.file("self/ns/mnt", "")
    try processes.file("417/ns/mnt", "")
    try processes.file("417/stat", "417 (sh) S 1 417 417 \(device) 417 4194560\n")
    _ = try LinuxSerialPort(path: terminal.path, baud: 9600, processes: processes.path)
  }

  @Test("consoles and logins on other ports are ignored")
  func free() throws {
    let terminal = try PseudoTerminal()
    let processes = try TemporaryFolder()
    try processes.file("consoles", "\(name(of: terminal))0 -W- (EC p a) 204:64\n")
    try processes.file("417/stat", "417 (agetty) S 1 417 417 1088 417 4194560\n")
    _ = try LinuxSerialPort(path: terminal.path, baud: 9600, processes: processes.path)
  }
}
