import Simulation
import Testing

@Suite("Faults of the simulated board", .timeLimit(.minutes(30)))
struct InjectedFaultTests {
  private static let text = Array(
    "$GPGGA,120000.00,5222.8,N,01303.6,E,8,12,0.9,80,M,40,M,,*55\r\n".utf8)

  @Test("a line that is read at the sender's speed has its bytes")
  func sameSpeed() {
    #expect(MisreadLine(sent: 9600, read: 9600).reading(of: Self.text) == Self.text)
  }

  @Test(
    "a line that is read at another speed has other bytes",
    arguments: [(9600, 38_400), (38_400, 9600), (9600, 4800), (115_200, 9600), (4800, 9600)])
  func otherSpeed(sent: Int, read: Int) {
    let bytes = MisreadLine(sent: sent, read: read).reading(of: Self.text)
    #expect(!bytes.isEmpty && bytes != Self.text)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("GGA"))
  }

  @Test("a ramp changes a quantity by its amount, with derivatives that agree")
  func ramp() {
    let motion = Oscillation(mean: 1, ramps: [Ramp(fromSeconds: 2, seconds: 4, change: 3)])
    #expect(motion.jet(atSeconds: 2).value == 1)
    #expect(motion.jet(atSeconds: 6.5).value == 4)
    #expect(motion.jet(atSeconds: 7).rate == 0)
    let h = 1e-5
    for t in [2.5, 4, 5.9] {
      let (before, here, after) = (
        motion.jet(atSeconds: t - h), motion.jet(atSeconds: t), motion.jet(atSeconds: t + h)
      )
      #expect(abs((after.value - before.value) / (2 * h) - here.rate) < 1e-6)
      #expect(abs((after.rate - before.rate) / (2 * h) - here.acceleration) < 1e-6)
    }
  }

  @Test("every fault has a name of its own")
  func names() {
    #expect(Set(BoardFault.allCases.map(\.rawValue)).count == 12)
  }
}
