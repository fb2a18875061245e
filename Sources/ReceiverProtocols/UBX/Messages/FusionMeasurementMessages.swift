// - Source of the layouts in this file: u-blox M8 receiver description UBX-13003221 (ADR and UDR),
//   as pyubx2 1.4.0, SparkFun's u-blox GNSS library 3 and the cc.ublox library quote it.

/// ESF-MEAS (0x10 0x02): measurements of motion sensors, one instant per message.
public struct EsfMeas: UBXPayload {
  static var shortestPayload: Int { 8 }

  /// Time of the measurement on the sensor's clock; milliseconds for the receiver's own sensors.
  public let timeTag: UInt32
  /// Time of the measurement on the receiver's clock, milliseconds; nil where the message lacks it.
  public let receiverTimeMilliseconds: UInt32?
  /// Input of a preceding time mark: 0 none, 1 external input 0, 2 external input 1.
  public let timeMarkInput: UInt8
  /// True where the time mark was a falling edge.
  public let isTimeMarkFalling: Bool
  /// Identifier of the data provider, chosen by the host that sends the measurements.
  public let provider: UInt16
  /// The measurements.
  public let measurements: UBXBlocks<Measurement>

  init(_ fields: UBXFields) throws(UBXRejection) {
    let flags = fields.u2(4)
    let hasReceiverTime = flags.bit(3)
    timeTag = fields.u4(0)
    timeMarkInput = flags.bits(0, count: 2)
    isTimeMarkFalling = flags.bit(2)
    provider = fields.u2(6)
    // A count of zero means that the count follows from the length.
    let trailing = hasReceiverTime ? 1 : 0
    let room = (fields.count - 8) / Measurement.size - trailing
    let declared = Int(flags.bits(11, count: 5))
    guard room >= 0, declared <= room else { throw .malformed }
    let count = declared == 0 ? room : declared
    measurements = try UBXBlocks(fields, from: 8, count: count)
    receiverTimeMilliseconds =
      hasReceiverTime ? fields.u4(8 + count * Measurement.size) : nil
  }

  /// One measurement.
  public struct Measurement: Equatable, Sendable, UBXBlock {
    /// A block's length.
    public static var size: Int { 4 }
    /// The measured quantity and its value.
    public var reading: SensorReading

    /// Reads a block.
    public init(_ fields: UBXFields, at offset: Int) {
      let word = fields.u4(offset)
      reading = SensorReading(type: word.bits(24, count: 6), data: word & 0xFF_FFFF)
    }
  }
}

/// ESF-RAW (0x10 0x03): unprocessed measurements of the receiver's own motion sensors; several
/// instants per message.
public struct EsfRaw: UBXPayload {
  static var shortestPayload: Int { 4 }

  /// The measurements.
  public let measurements: UBXBlocks<Measurement>

  init(_ fields: UBXFields) { measurements = UBXBlocks(fields, from: 4) }

  /// One measurement.
  public struct Measurement: Equatable, Sendable, UBXBlock {
    /// A block's length.
    public static var size: Int { 8 }
    /// The measured quantity and its value.
    public var reading: SensorReading
    /// Time of the measurement on the sensor's clock.
    public var timeTag: UInt32

    /// Reads a block.
    public init(_ fields: UBXFields, at offset: Int) {
      let word = fields.u4(offset)
      reading = SensorReading(type: word.bits(24, count: 8), data: word & 0xFF_FFFF)
      timeTag = fields.u4(offset + 4)
    }
  }
}
