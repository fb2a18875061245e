/// lodestar_msgs/msg/ReceiverBytes: bytes as the receiver sent them.
package struct ReceiverBytesMessage: ROSMessage, Equatable, Sendable {
  package var header: ROSHeader
  /// The bytes, in pieces of any length.
  package var data: [UInt8]

  package static let name = "lodestar_msgs/msg/ReceiverBytes"
  package static let fields = "std_msgs/Header header\nuint8[] data\n"
  package static let parts: [ROSPart] = [.header, .time]

  package init(header: ROSHeader, data: [UInt8]) { (self.header, self.data) = (header, data) }

  package init(from cdr: inout CDRReader) throws(CDRFault) {
    header = try ROSHeader(from: &cdr)
    data = try cdr.byteSequence()
  }

  package func write(to cdr: inout CDRWriter) {
    header.write(to: &cdr)
    cdr.add(sequence: data)
  }
}

/// lodestar_msgs/msg/Calibration: what changes the pipeline besides its rows, at its place in their
/// order; and, for readers, each change of the calibration in use.
package struct CalibrationMessage: ROSMessage, Equatable, Sendable {
  /// What the message is.
  package enum Kind: String, Sendable {
    /// The result of a fit that ran beside the pipeline, which takes it at the next field sample.
    case fit
    /// A calibration that a person or program gave, which the pipeline takes at the next field
    /// sample.
    case given
    /// A change of the calibration in use: a result, no input.
    case change
  }

  package var header: ROSHeader
  package var kind: String
  /// A JSON object with exact numbers.
  package var content: String

  package static let name = "lodestar_msgs/msg/Calibration"
  package static let fields =
    "std_msgs/Header header\nstring kind  # fit, given or change\nstring content  # JSON\n"
  package static let parts: [ROSPart] = [.header, .time]

  package init(header: ROSHeader, kind: Kind, content: String) {
    (self.header, self.kind, self.content) = (header, kind.rawValue, content)
  }

  package init(from cdr: inout CDRReader) throws(CDRFault) {
    header = try ROSHeader(from: &cdr)
    kind = try cdr.text()
    content = try cdr.text()
  }

  package func write(to cdr: inout CDRWriter) {
    header.write(to: &cdr)
    cdr.add(kind)
    cdr.add(content)
  }
}

/// lodestar_msgs/msg/Event: what a reader of the recording should know.
package struct EventMessage: ROSMessage, Equatable, Sendable {
  package var header: ROSHeader
  /// `start`, `stop`, `clock`, `lost` or `notice`.
  package var kind: String
  package var text: String

  package static let name = "lodestar_msgs/msg/Event"
  package static let fields = "std_msgs/Header header\nstring kind\nstring text\n"
  package static let parts: [ROSPart] = [.header, .time]

  package init(header: ROSHeader, kind: String, text: String) {
    (self.header, self.kind, self.text) = (header, kind, text)
  }

  package init(from cdr: inout CDRReader) throws(CDRFault) {
    header = try ROSHeader(from: &cdr)
    kind = try cdr.text()
    text = try cdr.text()
  }

  package func write(to cdr: inout CDRWriter) {
    header.write(to: &cdr)
    cdr.add(kind)
    cdr.add(text)
  }
}
