/// The FIFO of InvenSense's later units: packets of 16 bytes, each with a header that names its
/// content, a force, a rate, the temperature and a time.
protocol PacketFIFO: WatchedFIFO, SixteenBitSamples {
  /// The bits of a header that are those of a packet with both quantities, 0x60.
  static var headerMask: UInt8 { get }
}

extension PacketFIFO {
  /// A packet: header, accelerometer, gyroscope, temperature, two bytes of time.
  static var packetBytes: Int { 16 }
  var fifoStep: Int { Self.packetBytes }
  var burstSize: Int { RegisterBytes.capacity }

  /// Whether there is no space for three packets, which may come while others are read.
  func isNearlyFull(_ count: Int) -> Bool { count > fifoSize - 3 * Self.packetBytes }

  /// Whether each header is that of a packet with both quantities.
  func isWhole(_ burst: RegisterBytes, _ count: Int) -> Bool {
    for index in stride(from: 0, to: count, by: Self.packetBytes)
    where burst[index] & Self.headerMask != 0x60 { return false }
    return true
  }

  func deliver(_ burst: RegisterBytes, _ count: Int, _ take: (InertialReading) -> Void) {
    for index in stride(from: 0, to: count, by: Self.packetBytes) {
      take(reading(burst, at: index))
    }
  }
}
