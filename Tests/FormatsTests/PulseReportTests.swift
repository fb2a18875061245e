import Formats
import Quantities
import ReceiverProtocols
import Testing

@Suite("gpsd's PPS object", .timeLimit(.minutes(30)))
struct PulseReportTests {
  private func text(_ pulse: MarkedPulse, jitter: Double? = nil) -> String? {
    GPSDReport.pps(pulse, jitterSeconds: jitter, device: "/dev/pps0").map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test("has gpsd's keys, in gpsd's order")
  func keys() {
    var pulse = MarkedPulse(
      instant: Timestamp(nanoseconds: 5),
      second: UTCTime(nanosecondsSince1970: 1_666_298_551_000_000_000),
      systemUTC: UTCTime(nanosecondsSince1970: 1_666_298_551_000_001_881))
    // The line that a gpsd printed of such a pulse.
    #expect(
      text(pulse)
        == #"{"class":"PPS","device":"/dev/pps0","real_sec":1666298551,"real_nsec":0,"clock_sec":1666298551,"clock_nsec":1881,"precision":-20}"#
    )
    pulse.quantisationErrorPicoseconds = -1234
    pulse.systemUTC = UTCTime(nanosecondsSince1970: 1_666_298_550_999_999_000)
    // 3 us of jitter lie below 2 to the power of -18, 3.8 us.
    #expect(
      text(pulse, jitter: 3e-6)?.hasSuffix(
        #""clock_sec":1666298550,"clock_nsec":999999000,"precision":-18,"qErr":-1234}"#) == true)
  }

  @Test("is not made where the second or the clock is not known")
  func unknown() {
    let instant = Timestamp(nanoseconds: 5)
    let utc = UTCTime(nanosecondsSince1970: 0)
    #expect(text(MarkedPulse(instant: instant, systemUTC: utc)) == nil)
    #expect(text(MarkedPulse(instant: instant, second: utc)) == nil)
  }
}
