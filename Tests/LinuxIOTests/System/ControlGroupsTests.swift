import Foundation
import LinuxIO
import TestSupport
import Testing

@Suite("Control groups", .timeLimit(.minutes(30)))
struct ControlGroupsTests {
  @Test(
    "a service of the system's service manager is found in version 2",
    arguments: [
      // Debian 13, systemd 257.
      ("0::/system.slice/ssh.service\n", "ssh.service"),
      (
        "0::/system.slice/system-corelocation\\x2dapp.slice/corelocation-app@a.service\n",
        "corelocation-app@a.service"
      ),
      // Version 1 beside version 2: systemd's hybrid hierarchy.
      (
        "4:memory:/system.slice/cron.service\n1:name=systemd:/system.slice/cron.service\n"
          + "0::/system.slice/cron.service\n", "cron.service"
      ),
    ])
  func services(text: String, service: String) {
    #expect(ControlGroups(text).systemService == service)
  }

  @Test(
    "no other group is a service of the system",
    arguments: [
      "", "\n", "0::/\n", "0::/init.scope\n", "0::/system.slice\n", "0::/system.slice/\n",
      // Units of users: sessions, the user's service manager, its services and slices.
      "0::/user.slice/user-1000.slice/session-3.scope\n",
      "0::/user.slice/user-1000.slice/user@1000.service\n",
      "0::/user.slice/user-1000.slice/user@1000.service/app.slice/ssh.service\n",
      "0::/user.slice/user-1000.slice/user@1000.service/system.slice/ssh.service\n",
      // Groups below a service, scopes, other slices, a removed group, another root.
      "0::/system.slice/ssh.service/system.slice/cron.service\n",
      "0::/system.slice/ssh.service/cron.service\n",
      "0::/system.slice/docker-1f2e.scope\n", "0::/machine.slice/a.service\n",
      "0::/system.slice/ssh.service (deleted)\n", "0::/../system.slice/ssh.service\n",
      "0::/system.slice//ssh.service\n",
      // Version 1 alone.
      "12:pids:/system.slice/ssh.service\n1:name=systemd:/system.slice/ssh.service\n",
    ])
  func others(text: String) {
    #expect(ControlGroups(text).systemService == nil)
  }

  @Test("they are read of the process at the other end of a socket")
  func peer() throws {
    let folder = try TemporaryFolder()
    let listener = try StreamListener(path: folder.path + "/g", backlog: 1)
    let client = try StreamSocket(path: folder.path + "/g")
    let peer = try #require(try listener.accept()).peerCredentials()
    let own = try String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)
    #expect(!own.isEmpty && peer.controlGroups.text == own)
    withExtendedLifetime(client) {}
  }

  @Test("a process of another user, and one that has ended, have none")
  func otherProcess() {
    #expect(ControlGroups(pid: getpid(), uid: geteuid() &+ 1).text.isEmpty)
    #expect(ControlGroups(pid: 0, uid: geteuid()).text.isEmpty)
    #expect(ControlGroups(pid: -1, uid: geteuid()).text.isEmpty)
  }
}
