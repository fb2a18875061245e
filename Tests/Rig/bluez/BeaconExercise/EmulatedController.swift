import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// An emulated Bluetooth LE controller behind the kernel's `/dev/vhci`, with beacons in range.
///
/// It answers every command, with success alone where the kernel needs no values. With the
/// duplicate filter on it reports an address once for each start of the scan, as strict controllers
/// do.
/// - Source: Bluetooth Core Specification 5.4, Vol 4 Part E (commands 7.3, 7.4, 7.8, event
///   7.7.65.2); Linux, drivers/bluetooth/hci_vhci.c.
final class EmulatedController: @unchecked Sendable {
  /// A beacon on the air.
  struct Sender: Sendable {
    var address: [UInt8]
    /// Advertising data.
    var data: [UInt8]
    var rssi: Int8
  }

  struct Unavailable: Error {}

  /// The kernel's commands, for the test's record.
  struct Counts: Sendable {
    var passiveScans = 0
    var activeScans = 0
    var filteredScans = 0
    var reports = 0
  }

  private let file: Int32
  private let lock = NSLock()
  private var senders: [Sender] = []
  private var isScanning = false
  private var isFiltering = false
  private var isActive = false
  private var reported: Set<[UInt8]> = []
  private var isOpen = true
  private var tally = Counts()

  var counts: Counts { lock.withLock { tally } }

  /// Plugs it in.
  init() throws {
    file = open("/dev/vhci", O_RDWR | O_CLOEXEC)
    guard file >= 0 else { throw Unavailable() }
    // Vendor packet, opcode 0: a primary controller.
    guard write(file, [0xFF, 0x00] as [UInt8], 2) == 2 else { throw Unavailable() }
    Thread { [self] in answer() }.start()
    Thread { [self] in advertise() }.start()
  }

  /// Sets the beacons in range, which send ten times a second.
  func send(_ senders: [Sender]) { lock.withLock { self.senders = senders } }

  /// Pulls it out.
  func unplug() {
    lock.withLock { isOpen = false }
    // The reader's poll ends within its time.
    usleep(500_000)
    close(file)
  }

  private func answer() {
    while lock.withLock({ isOpen }) {
      var descriptor = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, 100) > 0 else { continue }
      var packet = [UInt8](repeating: 0, count: 1024)
      let count = read(file, &packet, packet.count)
      guard count >= 4, packet[0] == 0x01 else { continue }
      let opcode = UInt16(packet[1]) | UInt16(packet[2]) << 8
      obey(opcode, Array(packet[4..<count]))
      let values = Self.values(opcode)
      let event: [UInt8] =
        [0x04, 0x0E, UInt8(4 + values.count), 0x01, packet[1], packet[2], 0x00] + values
      _ = write(file, event, event.count)
    }
  }

  private func obey(_ opcode: UInt16, _ values: [UInt8]) {
    lock.withLock {
      switch opcode {
      case 0x0C03: isScanning = false  // Reset
      case 0x200B: isActive = values.first == 1  // LE Set Scan Parameters
      case 0x200C:  // LE Set Scan Enable
        isScanning = values.first == 1
        isFiltering = values.count > 1 && values[1] == 1
        reported = []
        guard isScanning else { return }
        if isActive { tally.activeScans += 1 } else { tally.passiveScans += 1 }
        if isFiltering { tally.filteredScans += 1 }
      default: break
      }
    }
  }

  /// A command's return parameters after the status.
  private static func values(_ opcode: UInt16) -> [UInt8] {
    switch opcode {
    // Version 4.2, of no company.
    case 0x1001: [0x08, 0, 0, 0x08, 0xFF, 0xFF, 0, 0]
    case 0x1002: [UInt8](repeating: 0, count: 64)
    // LE, and no BR/EDR.
    case 0x1003: [0, 0, 0, 0, 0x60, 0, 0, 0]
    case 0x1005: [0xC0, 0x00, 0, 0x08, 0x00, 0x00, 0x00]
    case 0x1009: [0x01, 0x00, 0x00, 0x01, 0xAA, 0x00]
    case 0x0C14: [UInt8](repeating: 0, count: 248)
    case 0x2002: [0xC0, 0x00, 0x08]
    case 0x2003, 0x201C: [UInt8](repeating: 0, count: 8)
    case 0x2018: (0..<8).map { _ in UInt8.random(in: 0...255) }
    case 0x2017: [UInt8](repeating: 0, count: 16)
    case 0x2007: [0]
    case 0x200F: [8]
    default: []
    }
  }

  private func advertise() {
    while lock.withLock({ isOpen }) {
      for sender in lock.withLock({ due() }) {
        var report: [UInt8] = [0x02, 0x01, 0x03, 0x01]
        report += sender.address
        report.append(UInt8(sender.data.count))
        report += sender.data
        report.append(UInt8(bitPattern: sender.rssi))
        var event: [UInt8] = [0x04, 0x3E, UInt8(report.count)]
        event += report
        _ = write(file, event, event.count)
      }
      usleep(100_000)
    }
  }

  /// The beacons that are reported now; called with the lock held.
  private func due() -> [Sender] {
    guard isScanning else { return [] }
    let due = senders.filter { !isFiltering || !reported.contains($0.address) }
    for sender in due { reported.insert(sender.address) }
    tally.reports += due.count
    return due
  }
}
