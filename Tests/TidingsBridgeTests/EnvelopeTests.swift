// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsBridge

@Suite(.timeLimit(.minutes(15)))
struct EnvelopeTests {
    @Test(arguments: [
        "", "_", "~", "%", "a.b", "*", ">", "eu-west_1", "naïve ключ 🔑", "a b\tc\r\n", "\0", "%5F",
    ])
    func anyKeyIsOneTokenAndComesBack(key: String) {
        let token = KeyToken.token(key)
        #expect(!token.isEmpty && token.utf8.allSatisfy { $0 > 32 && $0 < 127 })
        #expect(!token.contains(where: { ".*>".contains($0) }))
        #expect(KeyToken.key(token: token) == key)
        #expect(KeyToken.key(header: KeyToken.header(key)) == key)
        #expect(token != KeyToken.token(nil))
    }

    @Test func aLongKeyIsCutInTheSubjectOnly() {
        let long = String(repeating: "ä", count: 5_000)
        #expect(KeyToken.token(long).utf8.count <= 160)
        #expect(KeyToken.token(long) != KeyToken.token(long + "x"))
        #expect(KeyToken.key(header: KeyToken.header(long)) == long)
    }

    @Test(arguments: ["", ".", "a.", ".a", "a..b", "a b", "a*", "ä", "a>"])
    func malformedWireNamesAreRefused(text: String) {
        #expect(WireName(text) == nil)
    }

    @Test func aMalformedLiteralIsAMisuse() async {
        await #expect(processExitsWith: .failure) { _ = "a b" as WireName }
    }

    @Test func anEnvelopeIsReadFromTheHeaders() throws {
        let frame = BridgeFrame(
            subject: "shop.orders.placed.eu",
            headers: [
                "Tidings-Id": "a-7", "Tidings-Origin": "a", "Tidings-Type": "orders.placed",
                "Tidings-Version": "2", "Tidings-Key": "e%75", "Tidings-Hops": "3",
                "traceparent": "00-1-2-01",
            ]
        )
        let envelope = try BridgeEnvelope(frame, fallbackID: "x", stored: nil)
        #expect(envelope.id == "a-7" && envelope.origin == "a" && envelope.version == 2)
        #expect(envelope.key == "eu" && envelope.hops == 3 && envelope.traceContext == "00-1-2-01")
    }

    @Test func aFrameOfAnotherProgramNeedsNoHeaders() throws {
        let frame = BridgeFrame(subject: "shop.orders.placed._")
        let envelope = try BridgeEnvelope(frame, fallbackID: "s-1", stored: nil)
        #expect(envelope.id == "s-1" && envelope.origin == "" && envelope.type == "orders.placed")
        #expect(envelope.key == nil && envelope.version == nil && envelope.hops == 0)
    }

    @Test(arguments: [
        ["Tidings-Hops": "-1"], ["Tidings-Hops": "many"], ["Tidings-Version": "0"],
        ["Tidings-Key": "%G1"], ["Tidings-Key": "%ff"],
    ])
    func malformedHeadersAreNamed(headers: [String: String]) throws {
        var frame = BridgeFrame(subject: "shop.orders.eu")
        for (name, value) in headers { frame.headers.append(name, value) }
        let error = #expect(throws: BridgeError.self) {
            try BridgeEnvelope(frame, fallbackID: "x", stored: nil)
        }
        #expect(error?.code == .malformed)
    }

    @Test func typesWithDotsAndKeysShareNoSubject() throws {
        let space = try Space("shop")
        #expect(!space.allStored("orders").matches(space.stored("orders.placed", key: "a")))
        #expect(!space.allStored("orders.placed").matches(space.stored("orders", key: "placed")))
        #expect(space.allStored("orders").matches(space.stored("orders", key: "a.b")))
        #expect(!SubjectFilter("shop.>").matches(space.transient("orders", key: nil)))
    }
}
