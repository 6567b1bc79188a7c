// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsHTTP

@Suite(.timeLimit(.minutes(15)))
struct WebAddressLocalTests {
    @Test(arguments: [
        "http://localhost/a", "http://media.localhost:8080/", "http://127.0.0.1:8420/",
        "http://127.1/", "http://[::1]/", "http://192.168.1.5/", "http://10.0.0.1/",
        "http://169.254.1.1/", "http://[fe80::1]/", "http://[fd00::1]:80/",
        "http://[::ffff:127.0.0.1]/",
    ])
    func thisMachineAndPrivateNetworksAreLocal(text: String) throws {
        #expect(try WebAddress(text).isLocal)
    }

    @Test(arguments: [
        "http://example.com/", "https://45.0.0.1/", "http://[2600::1]/", "http://notlocalhost/",
        "http://localhost.example.com/", "http://127.0.0.1.example.com/", "http://media.lan/",
    ])
    func otherAddressesAreNotLocal(text: String) throws {
        #expect(try !WebAddress(text).isLocal)
    }
}
