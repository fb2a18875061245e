import JSON
import Quantities

/// What a client has requested by `?WATCH={…};`.
struct GPSDWatch: Equatable {
  var isEnabled = false
  var json = false
  var nmea = false
  /// 0 none, 1 as text, 2 as received.
  var raw = 0
  var scaled = false
  var split24 = false
  var pps = false
  /// The only device whose reports are sent; nil for all.
  var device: String?

  /// Sets what a request contains; what it does not contain stays, but for the device.
  /// - Returns: The reason why it is not valid; nil on success. The watch is then not changed.
  mutating func set(_ text: ArraySlice<UInt8>) -> String? {
    var changed = self
    // A request enables, unless it says otherwise.
    changed.isEnabled = true
    changed.device = nil
    let fault = Array(text).withUnsafeBufferPointer { bytes -> String? in
      var reader = JSONReader(bytes, deepest: 4)
      guard reader.beginObject() else {
        return reader.fault.map { "\($0)" } ?? "expected an object"
      }
      while let key = reader.nextKey() {
        if key.is("enable") {
          changed.isEnabled = reader.flag() ?? false
        } else if key.is("json") {
          changed.json = reader.flag() ?? false
        } else if key.is("nmea") {
          changed.nmea = reader.flag() ?? false
        } else if key.is("raw") {
          changed.raw = reader.int64().map { Int(max(0, min(2, $0))) } ?? 0
        } else if key.is("scaled") {
          changed.scaled = reader.flag() ?? false
        } else if key.is("split24") {
          changed.split24 = reader.flag() ?? false
        } else if key.is("pps") {
          changed.pps = reader.flag() ?? false
        } else if key.is("device") {
          changed.device = reader.string().flatMap { $0.isEmpty ? nil : $0 }
        } else {
          reader.skip()
        }
      }
      reader.expectEnd()
      return reader.fault.map { "\($0)" }
    }
    guard fault == nil else { return fault }
    self = changed
    return nil
  }
}
