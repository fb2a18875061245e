import Storage
import Testing

/// The vectors of FIPS 180-4's examples, "SHA256.pdf" of NIST's example values, and of RFC 6234.
@Suite("SHA-256", .timeLimit(.minutes(30)))
struct SHA256Tests {
  @Test(
    "gives the official hashes",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
      (
        String(repeating: "a", count: 1_000_000),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
      (
        String(
          repeating: "0123456701234567012345670123456701234567012345670123456701234567", count: 10),
        "594847328451bdfa85056225462cc1d867d877fb388df0ce35f25ab5562bfbb5"
      ),
    ])
  func vectors(_ text: String, _ hash: String) {
    #expect(SHA256.text(text) == hash)
  }
}
