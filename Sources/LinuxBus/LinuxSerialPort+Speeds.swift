import Bus

#if canImport(Glibc)
  import Glibc
#endif

extension LinuxSerialPort {
  /// The speeds that a port may be asked for, bits per second; not every port has all.
  /// - Source: Linux, include/uapi/asm-generic/termbits.h.
  public static var speeds: [Int] { table.map(\.baud) }

  /// The kernel's constant for a speed.
  static func speed(_ baud: Int, of path: String) throws(BusError) -> speed_t {
    guard let row = table.first(where: { $0.baud == baud }) else {
      throw BusError(
        .unsupported("\(baud) baud; use one of \(speeds.map(String.init).joined(separator: ", "))"),
        device: path)
    }
    return speed_t(row.constant)
  }

  private static var table: [(baud: Int, constant: Int32)] {
    [
      (1200, B1200), (1800, B1800), (2400, B2400), (4800, B4800), (9600, B9600), (19_200, B19200),
      (38_400, B38400), (57_600, B57600), (115_200, B115200), (230_400, B230400),
      (460_800, B460800), (500_000, B500000), (576_000, B576000), (921_600, B921600),
      (1_000_000, B1000000), (1_152_000, B1152000), (1_500_000, B1500000), (2_000_000, B2000000),
      (2_500_000, B2500000), (3_000_000, B3000000), (3_500_000, B3500000), (4_000_000, B4000000),
    ]
  }
}
