// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings

@testable import TidingsBridge

private struct Order1: Codable, Sendable { let id: Int }
private struct Order2: Codable, Sendable {
    let id: Int
    let region: String
}

private struct Order: BridgedMessage, Equatable {
    static let wireName: WireName = "orders.placed"
    static let wireVersion = 3
    static let upcasts = [
        Upcast(from: 2) { (old: Order2) in Order(id: old.id, region: old.region, total: 0) },
        Upcast(from: 1) { (old: Order1) in Order2(id: old.id, region: "eu") },
    ]
    let id: Int
    let region: String
    let total: Int
}

private struct WithoutStep: BridgedMessage {
    static let wireName: WireName = "a"
    static let wireVersion = 3
    static let upcasts = [Upcast(from: 1) { (old: Order1) in Order2(id: old.id, region: "") }]
}

private struct WrongStep: BridgedMessage {
    static let wireName: WireName = "a"
    static let wireVersion = 2
    static let upcasts = [Upcast(from: 1) { (old: Order1) in Order2(id: old.id, region: "") }]
}

private struct Young: BridgedMessage {
    static let wireName: WireName = "a"
    static let wireVersion = 3
    static let oldestWireVersion = 3
}

@Suite(.timeLimit(.minutes(15)))
struct UpcastTests {
    @Test(arguments: [
        (1, #"{"id":7}"#, Order(id: 7, region: "eu", total: 0)),
        (2, #"{"id":7,"region":"us"}"#, Order(id: 7, region: "us", total: 0)),
        (3, #"{"id":7,"region":"us","total":5}"#, Order(id: 7, region: "us", total: 5)),
    ])
    private func b15_olderVersionsAreUpcastStepByStep(
        version: Int,
        body: String,
        expected: Order
    ) throws {
        let type = try WireType<Order>(.json)
        #expect(try type.decode(Array(body.utf8), version: version) == expected)
    }

    @Test func b15_aMissingStepIsFoundAtTheStart() {
        let missing = #expect(throws: BridgeError.self) { try WireType<WithoutStep>(.json) }
        #expect(missing?.code == .missingUpcast)
        let wrong = #expect(throws: BridgeError.self) { try WireType<WrongStep>(.json) }
        #expect(wrong?.code == .missingUpcast)
    }

    @Test func b15_newerAndDroppedVersionsAndDamagedBodiesAreNamed() throws {
        let type = try WireType<Order>(.json)
        let newer = #expect(throws: BridgeError.self) { try type.decode([], version: 4) }
        #expect(newer?.code == .unsupportedVersion)
        let damaged = #expect(throws: BridgeError.self) { try type.decode([0xff], version: 3) }
        #expect(damaged?.code == .codec)
        let young = try WireType<Young>(.json)
        let dropped = #expect(throws: BridgeError.self) { try young.decode([], version: 2) }
        #expect(dropped?.code == .unsupportedVersion)
    }

    @Test func aMessageComesBackFromItsBody() throws {
        let type = try WireType<Order>(.json)
        let order = Order(id: 1, region: "ä\u{0}", total: -3)
        #expect(try type.decode(type.encode(order), version: nil) == order)
    }
}
