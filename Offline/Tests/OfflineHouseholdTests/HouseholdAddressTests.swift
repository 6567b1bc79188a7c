// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineHousehold

@Suite struct HouseholdAddressTests {
    private func read(
        _ text: String,
        space: String? = nil,
        file: String? = nil
    ) throws(HouseholdAddress.Malformed) -> HouseholdAddress {
        try HouseholdAddress(text, space: space, credentialsFile: file)
    }

    @Test func anAddressHasAServerAndASpace() throws {
        let address = try read("nats://10.0.0.2:4222")
        #expect(address.server == "nats://10.0.0.2:4222" && address.space == "home")
        #expect(try read("tls://[::1]/", space: "attic_2").server == "tls://[::1]")
    }

    @Test func credentialsAreReadAndNeverShown() throws {
        let user = try read("nats://me:p%40ss:w@a.example:1")
        #expect(user.credentials == .user("me", password: "p@ss:w"))
        #expect(try read("nats://t0ken@a.example").credentials == .token("t0ken"))
        #expect(try read("nats://a", file: #filePath).credentials == .file(#filePath))
        var dump = ""
        Swift.dump(user, to: &dump)
        #expect(!"\(user) \(String(reflecting: user)) \(dump)".contains("p@ss"))
    }

    @Test(arguments: [
        "", "10.0.0.2", "http://a", "nats://", "nats://a:0", "nats://a:65536", "nats://a/b",
        "nats://@a", "nats://secret:@a", "nats://secret a", "nats://secret@a@b c",
    ])
    func aMalformedAddressIsRefusedWithoutAQuotation(_ text: String) {
        let error = #expect(throws: HouseholdAddress.Malformed.self) { try read(text) }
        #expect(error?.message.contains("secret") == false)
    }

    @Test func aMalformedSpaceOrFileIsRefused() {
        for space in ["", "a.b", "a b", "*", ">", String(repeating: "a", count: 51)] {
            #expect(throws: HouseholdAddress.Malformed.self) { try read("nats://a", space: space) }
        }
        for file in ["/missing", "/dev/null", "/tmp"] {
            #expect(throws: HouseholdAddress.Malformed.self) { try read("nats://a", file: file) }
        }
        #expect(throws: HouseholdAddress.Malformed.self) {
            try read("nats://t@a", file: #filePath)
        }
    }
}
