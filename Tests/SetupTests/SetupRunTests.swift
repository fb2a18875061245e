import Chips
import Doctor
import Foundation
import HostProtocol
import Quantities
import Setup
import Testing

@Suite("A run of the set-up", .timeLimit(.minutes(30)))
struct SetupRunTests {
  private let serve = "/etc/lodestar/serve.yaml"

  @Test("does all steps in order, and a second run changes nothing")
  func whole() throws {
    let machine = try FakeMachine()
    machine.place([(.mpu9250, 0x68), (.ak8963, 0x0C), (.bmp280, 0x76)])
    machine.setReceivers([.init(path: "/dev/ttyACM0", baud: 9600)])
    try machine.installService()
    machine.setHeading(.heading(Self.estimate))
    let first = SetupRun(machine, nil)
    #expect(first.faults.isEmpty, "\(first.console.text)")
    let titles = first.console.text.split(separator: "\n").filter { $0.contains(#/^[0-9]\/8 /#) }
    #expect(
      titles == [
        "1/8 machine", "2/8 sensors", "3/8 mount", "4/8 receiver", "5/8 servers", "6/8 service",
        "7/8 calibration", "8/8 check",
      ])
    #expect(machine.removeCommands() == ["systemctl enable --now lodestar"])
    let files = machine.names.map { "\($0) \(machine.text("/etc/lodestar/" + $0) ?? "")" }
    try machine.installService(isActive: true, since: 4_000_000_000)
    let second = SetupRun(machine, nil)
    #expect(second.faults.isEmpty && machine.removeCommands().isEmpty, "\(second.console.text)")
    #expect(files == machine.names.map { "\($0) \(machine.text("/etc/lodestar/" + $0) ?? "")" })
  }

  @Test("shows every change of later steps with --dry-run, and makes none")
  func dryRun() throws {
    let machine = try FakeMachine()
    machine.place([(.mpu9250, 0x68), (.ak8963, 0x0C), (.bmp280, 0x76)])
    machine.setReceivers([.init(path: "/dev/ttyACM0", baud: 9600)])
    try machine.installService()
    let run = SetupRun(machine, nil, shows: true)
    #expect(run.faults.isEmpty, "\(run.console.text)")
    for text in ["+ mount: auto", "+ baud: 9600", "$ sudo systemctl enable --now lodestar"] {
      #expect(run.words.contains(text), "\(text)")
    }
    #expect(machine.names.isEmpty && machine.removeCommands().isEmpty)
  }

  @Test("ends where the input ends, and says so")
  func endOfInput() throws {
    let machine = try FakeMachine()
    let run = SetupRun(machine, nil, [])
    #expect(run.faults.map(\.fault) == [.endOfInput] && machine.names.isEmpty)
  }

  @Test("asks again after an invalid number or word")
  func invalidAnswers() throws {
    let machine = try FakeMachine()
    let sensors = SetupRun(machine, .sensors, ["0", "x", "99", ""])
    #expect(sensors.words.components(of: "answer with a number from 1 to 4") == 3)
    let servers = SetupRun(machine, .servers, ["maybe", "no", "n", "", "none", "N"])
    #expect(servers.faults.isEmpty && servers.words.contains("answer with y or n"))
  }

  // MARK: Steps with few cases

  @Test("offers the safe remedies of the doctor, and shows the others")
  func machineStep() throws {
    let machine = try FakeMachine()
    try machine.write("Raspberry Pi 4 Model B\0", to: "/proc/device-tree/model")
    try machine.write("raspberrypi,4-model-b\0brcm,bcm2711\0", to: "/proc/device-tree/compatible")
    try machine.write("arm_64bit=1\n", to: "/boot/firmware/config.txt")
    #expect(SetupRun(machine, .machine, shows: true).words.contains("dtparam=i2c_arm=on"))
    #expect(machine.text("/boot/firmware/config.txt") == "arm_64bit=1\n")
    let run = SetupRun(machine, .machine)
    #expect(run.faults.isEmpty, "\(run.console.text)")
    #expect(machine.text("/boot/firmware/config.txt")?.contains("dtparam=i2c_arm=on") == true)
    #expect(run.words.contains("appear after a restart of the machine. Restart now"))
    #expect(machine.removeCommands().isEmpty)
  }

  @Test("switches the UART on for a receiver on the pins, where the user has one")
  func receiverOnPins() throws {
    func machine() throws -> FakeMachine {
      let machine = try FakeMachine()
      try machine.write("Raspberry Pi 5 Model B\0", to: "/proc/device-tree/model")
      try machine.write("raspberrypi,5-model-b\0brcm,bcm2712\0", to: "/proc/device-tree/compatible")
      try machine.write("dtparam=i2c_arm=on\n", to: "/boot/firmware/config.txt")
      try machine.write("", to: "/dev/i2c-1")
      return machine
    }
    let question = "Is a GNSS receiver wired to the pins 8 and 10 (UART)?"
    let without = try machine()
    let defaults = SetupRun(without, .machine)
    #expect(defaults.faults.isEmpty && defaults.words.contains(question))
    #expect(without.text("/boot/firmware/config.txt") == "dtparam=i2c_arm=on\n")
    let with = try machine()
    let run = SetupRun(with, .machine, ["y"] + Array(repeating: "", count: 9))
    #expect(run.words.contains("Restart now"), "\(run.console.text)")
    #expect(with.text("/boot/firmware/config.txt")?.contains("dtparam=uart0=on") == true)
    try with.write("", to: "/dev/ttyAMA0")
    #expect(!SetupRun(with, .machine).words.contains(question))
  }

  @Test("examines the machine also where the daemon's file or its board file cannot be read")
  func unreadable() throws {
    let machine = try FakeMachine()
    machine.place([(.mpu9250, 0x68), (.ak8963, 0x0C), (.bmp280, 0x76)])
    for text in ["simulate: [\n", "board: /etc/lodestar/gone.yaml\n"] {
      try machine.write(text, to: serve)
      let run = SetupRun(machine, .machine)
      #expect(
        run.faults.isEmpty && run.words.contains("fault: /etc/lodestar/"), "\(run.console.text)")
    }
    // Another board is chosen without an editor.
    let sensors = SetupRun(machine, .sensors)
    #expect(sensors.faults.isEmpty && sensors.words.contains("cannot be read"))
    #expect(machine.text(serve) == "board: /etc/lodestar/board.yaml\n")
    #expect(machine.text("/etc/lodestar/board.yaml")?.contains("MPU-9250") == true)
  }

  @Test("keeps the content of before the run, not that between two of its steps")
  func backup() throws {
    let machine = try FakeMachine()
    machine.place([(.mpu9250, 0x68), (.ak8963, 0x0C), (.bmp280, 0x76)])
    machine.setReceivers([.init(path: "/dev/ttyACM0", baud: 9600)])
    try machine.installService()
    machine.setHeading(.heading(Self.estimate))
    let old = "simulate: true\nonline-calibration: off\n"
    try machine.write(old, to: serve)
    #expect(SetupRun(machine, nil).faults.isEmpty)
    #expect(machine.text(serve) != old)
    #expect(machine.text(serve + ".bak") == old)
  }

  @Test("leaves the calibration to use by default, and guides it on request")
  func calibration() throws {
    let machine = try FakeMachine()
    #expect(SetupRun(machine, .calibration).words.contains("[1]: 1 (default)"))
    #expect(machine.removeCommands().isEmpty)
    #expect(SetupRun(machine, .calibration, ["2"]).faults.isEmpty)
    #expect(SetupRun(machine, .calibration, ["3"]).faults.isEmpty)
    #expect(machine.removeCommands() == ["/usr/bin/lodestar calibrate", "/usr/bin/lodestar token"])
    // A vehicle stays level.
    try machine.write("activity: otherNavigation\n", to: serve)
    #expect(SetupRun(machine, .calibration, ["2"]).faults.isEmpty)
    #expect(machine.removeCommands() == ["/usr/bin/lodestar calibrate --level"])
    try machine.write("online-calibration: off\n", to: serve)
    #expect(SetupRun(machine, .calibration).words.contains("- online-calibration: off"))
    #expect(machine.text(serve) == "")
    machine.fail("/usr/bin/lodestar calibrate", status: 69)
    #expect(SetupRun(machine, .calibration, ["2"]).faults.map(\.step) == [.calibration])
  }

  @Test("shows the first heading with its accuracy, the place, and what to do next")
  func check() throws {
    let machine = try FakeMachine()
    try machine.write("nmea-port: 10110\n", to: serve)
    machine.setHeading(.heading(Self.estimate))
    let run = SetupRun(machine, .check)
    #expect(run.faults.isEmpty)
    #expect(run.words.contains("magnetic heading 090.0") && run.words.contains("4.0"))
    #expect(run.words.contains("position none yet"))
    #expect(run.words.contains("cgps localhost:2947"))
    #expect(run.words.contains("address 127.0.0.1, port 10110"))
    #expect(
      run.words.hasSuffix("a phone sudo lodestar setup --step servers (other devices may connect)"))
    try machine.write("http-address: 0.0.0.0\n", to: serve)
    #expect(
      SetupRun(machine, .check).words.hasSuffix(
        "a phone sudo lodestar token (a one-time link and its QR code)"))
    // A terminal gets the link itself.
    #expect(machine.removeCommands().isEmpty)
    #expect(SetupRun(machine, .check, isTerminal: true).faults.isEmpty)
    #expect(machine.removeCommands() == ["/usr/bin/lodestar token"])
  }

  @Test("reports a daemon without a heading, and only names the start where systemd does not run")
  func noHeading() throws {
    let machine = try FakeMachine()
    #expect(SetupRun(machine, .check).faults.isEmpty)
    try machine.installService()
    #expect(SetupRun(machine, .check).faults.map(\.fault) == [.noHeading("no daemon")])
    let fault = "no sensor found: no bus"
    machine.setHeading(.waiting(SourceDescription(fault: fault)))
    #expect(
      "\(SetupRun(machine, .check).faults.map(\.fault))".contains(
        "now there is none: no sensor found: no bus; to try it without a sensor: sudo lodestar setup --simulate"
      ))
    machine.setHeading(.waiting(SourceDescription(isOpen: true, hasMagnetometer: true)))
    #expect("\(SetupRun(machine, .check).faults.map(\.fault))".contains("no heading for 30 s"))
    machine.setHeading(.waiting(SourceDescription(isOpen: true, hasReceiver: true)))
    #expect(SetupRun(machine, .check).words.contains("positions only"))
  }

  @Test(
    "offers the simulated board where the daemon has no sensor, and changes nothing without a yes")
  func simulation() throws {
    let machine = try FakeMachine()
    try machine.installService(isActive: true, since: 4_000_000_000)
    try machine.write("mode: 0660\n", to: serve)
    machine.setHeading(.waiting(SourceDescription(fault: "no sensor found")))
    #expect(SetupRun(machine, .check, [""]).faults.map(\.step) == [.check])
    #expect(machine.text(serve) == "mode: 0660\n" && machine.removeCommands().isEmpty)
    machine.onCommand { machine.setHeading(.heading(Self.estimate)) }
    let run = SetupRun(machine, .check, ["y", "", ""])
    #expect(run.faults.isEmpty && run.console.isUsedUp, "\(run.console.text)")
    #expect(machine.text(serve) == "mode: 0660\nsimulate: true\n")
    #expect(machine.removeCommands() == ["systemctl restart lodestar"])
    #expect(run.words.contains("magnetic heading 090.0"))
  }

  @Test("reports a problem that its remedy has not removed")
  func notMended() throws {
    let machine = try FakeMachine()
    try machine.write("", to: "/run/systemd/system/mark")
    try machine.write("", to: "/usr/lib/systemd/system/systemd-timesyncd.service")
    machine.setSynchronised(false)
    machine.answer("timedatectl set-ntp true", status: 0)
    let run = SetupRun(machine, .machine)
    #expect(run.words.contains("done: run 'timedatectl set-ntp true'"))
    #expect(run.words.contains("Not repaired: no service synchronises the clock."))
    #expect(run.words.components(of: "Not repaired") == 1)
    machine.setSynchronised(true)
    #expect(!SetupRun(machine, .machine).words.contains("the clock."))
  }

  private static var estimate: Estimate {
    var estimate = Estimate(timestamp: Timestamp(nanoseconds: 1_000_000_000))
    estimate.magneticHeading = MagneticHeading(Angle(degrees: 90))
    estimate.headingAccuracy = Angle(degrees: 4)
    estimate.calibration = .good
    return estimate
  }
}
