import Chips
import LinuxIO
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("The kernel's error numbers", .timeLimit(.minutes(30)))
struct SystemErrorTests {
  @Test("openings")
  func openings() {
    let kinds: [(Int32, BusError.Kind)] = [
      (ENOENT, .missing), (ENODEV, .missing), (ENXIO, .missing),
      (EACCES, .permissionDenied(group: "i2c")), (EPERM, .permissionDenied(group: "i2c")),
      (EBUSY, .inUse("another program")), (EMFILE, .failed("opening")),
    ]
    for (code, kind) in kinds {
      #expect(SystemError.opening(code, group: "i2c") == kind, "\(code)")
    }
  }

  @Test("transfers: all error numbers for a missing answer are one kind")
  func transfers() {
    let kinds: [(Int32, BusError.Kind)] = [
      (ENXIO, .noAnswer), (EREMOTEIO, .noAnswer), (EIO, .noAnswer), (ENODEV, .noAnswer),
      (EBUSY, .stuck), (EOPNOTSUPP, .unsupported("no transfers of this kind or length")),
      (EPROTO, .failed("the protocol with the chip")), (ENOMEM, .failed("the transfer")),
    ]
    for (code, kind) in kinds {
      let found = SystemError.transfer(code) {
        Issue.record("another address was asked")
        return code
      }
      #expect(found == kind, "\(code)")
    }
  }

  @Test("a bus is stuck if another address fails in the same way, and not if it differs")
  func stuck() {
    for other in [0, ENXIO, EREMOTEIO, EAGAIN] {
      #expect(SystemError.transfer(ETIMEDOUT) { other } == .noAnswer)
    }
    #expect(SystemError.transfer(ETIMEDOUT) { ETIMEDOUT } == .stuck)
    for other in [0, ENXIO, ETIMEDOUT] {
      #expect(SystemError.transfer(EAGAIN) { other } == .arbitrationLost)
    }
    #expect(SystemError.transfer(EAGAIN) { EAGAIN } == .stuck)
  }

  @Test("EBUSY means a driver when an address is selected, and a stuck bus in a transfer")
  func busy() {
    #expect(SystemError.claiming(EBUSY) == .ownedByKernel)
    #expect(SystemError.claiming(ENXIO) == .noAnswer)
    #expect(SystemError.transfer(EBUSY) { 0 } == .stuck)
  }

  @Test("lines")
  func lines() {
    func kind(_ code: Int32, owner: String = "") -> BusError.Kind {
      SystemError.line(code, name: "GPIO17", owner: owner, group: "gpio")
    }
    #expect(kind(EBUSY) == .inUse("another program"))
    #expect(kind(EBUSY, owner: "lirc") == .inUse("'lirc'"))
    #expect(kind(EACCES) == .permissionDenied(group: "gpio"))
    #expect(kind(EINVAL) == .noSuchLine("GPIO17"))
    #expect(kind(ENOTTY) == .unsupported("not a GPIO chip; see /dev/gpiochip*"))
    #expect(kind(ENOENT) == .missing)
  }

  @Test("serial ports")
  func serial() {
    for code in [EIO, ENODEV, ENXIO] {
      #expect(SystemError.serial(code, doing: "reading") == .disconnected)
    }
    #expect(SystemError.serial(EINVAL, doing: "reading") == .failed("reading"))
  }
}
