// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsHTTP

@Suite(.timeLimit(.minutes(15)))
struct NetworkAddressTests {
    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
        "126.255.255.255", "128.0.0.1", "169.253.255.255", "169.255.0.0", "172.15.255.255",
        "172.32.0.0", "192.0.1.1", "192.0.3.1", "192.88.98.1", "192.167.255.255", "192.169.0.0",
        "198.17.255.255", "198.20.0.0", "198.51.99.1", "203.0.112.1", "223.255.255.255",
        "2606:4700:4700::1111", "2001:4860:4860::8888", "2a00::1", "2001:200::1",
        "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1",
    ])
    func publicAddressesAreAllowed(text: String) throws {
        #expect(try #require(NetworkAddress(text)).isPublic)
    }

    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255",
        "127.0.0.1", "127.255.255.255", "169.254.0.1", "169.254.169.254", "172.16.0.1",
        "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.0.1",
        "192.168.255.255", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1",
        "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
    ])
    func reservedV4AddressesAreRefusedInEveryForm(text: String) throws {
        #expect(try !#require(NetworkAddress(text)).isPublic)
        #expect(try !#require(NetworkAddress("::ffff:" + text)).isPublic, "mapped")
        #expect(try !#require(NetworkAddress("::" + text)).isPublic, "compatible")
        #expect(try !#require(NetworkAddress("::ffff:0:" + text)).isPublic, "translated")
        #expect(try !#require(NetworkAddress("64:ff9b::" + text)).isPublic, "NAT64")
        #expect(try !#require(NetworkAddress("64:ff9b:1::" + text)).isPublic, "local NAT64")
        let octets = text.split(separator: ".").compactMap { Int($0) }.map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        let sixToFour = "2002:\(octets[0])\(octets[1]):\(octets[2])\(octets[3])::1"
        #expect(try !#require(NetworkAddress(sixToFour)).isPublic, "6to4")
    }

    @Test(arguments: [
        "::", "::1", "fc00::1", "fd12:3456::1", "fe80::1", "febf::1", "fec0::1", "ff02::1",
        "ff0e::1", "100::1", "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:2::1",
        "2001:10::1", "2001:20::1", "2001:1ff::1", "2001:db8::1", "3fff::1", "3fff:fff::1",
        "4000::1", "5f00::1", "64:ff9b:1::1", "1::1",
    ])
    func reservedV6AddressesAreRefused(text: String) throws {
        #expect(try !#require(NetworkAddress(text)).isPublic)
    }

    @Test(arguments: ["127.0.0.1", "127.9.9.9", "0.0.0.0", "::", "::1", "::ffff:127.0.0.1"])
    func thisMachineIsRecognized(text: String) throws {
        #expect(try #require(NetworkAddress(text)).isLoopbackOrUnspecified)
    }

    @Test(arguments: ["", "1.2.3", "1.2.3.4.5", "localhost", ":::", "[::1]", "1.2.3.256"])
    func otherTextIsNotAnAddress(text: String) {
        #expect(NetworkAddress(text) == nil)
    }
}
