import Foundation
import Setup
import Testing

@Suite("The step for the service", .timeLimit(.minutes(30)))
struct ServiceStepTests {
  private let serve = "/etc/lodestar/serve.yaml"

  @Test("starts the unit, permits the caller of sudo to connect, and then changes nothing")
  func start() throws {
    let machine = try FakeMachine()
    try machine.write("mode: 0660\n", to: serve)
    try machine.write("pi:x:1000:1000::/home/pi:/bin/bash\n", to: "/etc/passwd")
    try machine.write("lodestar:x:990:\npi:x:1000:\n", to: "/etc/group")
    machine.setSudoUser("pi")
    try machine.installService()
    let run = SetupRun(machine, .service)
    #expect(run.faults.isEmpty)
    #expect(
      run.words.contains(
        "may connect to the daemon: pi joins it. $ sudo systemctl enable --now lodestar "
          + "$ sudo usermod -aG lodestar pi Do this? [Y/n]"))
    #expect(run.words.hasSuffix("The new group counts after the next login."))
    #expect(
      machine.removeCommands() == ["systemctl enable --now lodestar", "usermod -aG lodestar pi"])
    try machine.write("lodestar:x:990:pi\npi:x:1000:\n", to: "/etc/group")
    try machine.installService(isActive: true, since: 4_000_000_000)
    #expect(SetupRun(machine, .service).words.hasSuffix("starts with the machine. No change."))
    #expect(machine.removeCommands().isEmpty)
  }

  @Test("restarts a daemon that is older than its files")
  func restart() throws {
    let machine = try FakeMachine()
    try machine.write("mode: 0660\n", to: serve)
    try machine.installService(isActive: true, since: 1_000_000_000)
    #expect(SetupRun(machine, .service, ["n"]).words.hasSuffix("Not done."))
    #expect(machine.removeCommands().isEmpty)
    let run = SetupRun(machine, .service)
    #expect(run.words.contains("The configuration is newer than the running daemon."))
    #expect(machine.removeCommands() == ["systemctl restart lodestar"])
    // Another step that changes the configuration is followed by this one.
    try machine.installService(isActive: true, since: 4_000_000_000)
    let servers = SetupRun(machine, .servers, ["y", "", "", "", "", "y", "y"])
    #expect(
      servers.faults.isEmpty && servers.words.contains("6/8 service"), "\(servers.console.text)")
    #expect(machine.removeCommands() == ["systemctl restart lodestar"])
  }

  @Test("makes the file that the unit names, and gives the command where systemd does not run")
  func withoutSystemd() throws {
    let machine = try FakeMachine()
    let run = SetupRun(machine, .service)
    #expect(run.faults.isEmpty && machine.names == ["serve.yaml"])
    #expect(run.words.hasSuffix("lodestar serve --config /etc/lodestar/serve.yaml"))
    #expect(machine.removeCommands().isEmpty)
  }

  @Test("names the script of the sources where the unit is missing")
  func withoutUnit() throws {
    let machine = try FakeMachine()
    try machine.write("mode: 0660\n", to: serve)
    try machine.write("", to: "/run/systemd/system/mark")
    #expect(SetupRun(machine, .service).words.hasSuffix("Scripts/install --daemon"))
    // A program in the sources' build folder runs it as the user of the sources.
    try machine.write("", to: "/usr/Packaging/systemd/install-unit")
    try machine.write("pi:x:1000:1000::/home/pi:/bin/bash\n", to: "/etc/passwd")
    machine.setSudoUser("pi")
    #expect(SetupRun(machine, .service).faults.isEmpty)
    #expect(machine.removeCommands() == ["runuser -u pi -- /usr/Scripts/install --daemon"])
  }

  @Test("reports a command that fails, and the later steps are run")
  func failure() throws {
    let machine = try FakeMachine()
    try machine.write("simulate: true\n", to: serve)
    try machine.installService()
    machine.fail("systemctl enable --now lodestar", status: 1)
    let run = SetupRun(machine, nil)
    #expect(run.faults.map(\.step) == [.service, .check])
    #expect(
      run.words.contains("failed: 'systemctl enable --now lodestar' has failed: exit status 1"))
    #expect(run.words.contains("8/8 check"))
  }
}
