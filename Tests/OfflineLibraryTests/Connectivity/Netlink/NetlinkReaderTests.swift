// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
struct NetlinkReaderTests {
    private func messages(_ bytes: [UInt8]) throws(NetlinkError) -> [NetlinkMessage] {
        var reader = NetlinkReader(bytes[...])
        var messages: [NetlinkMessage] = []
        while let message = try reader.next() { messages.append(message) }
        return messages
    }

    private func attributes(_ bytes: [UInt8]) throws(NetlinkError) -> [NetlinkAttributes.Element] {
        var reader = NetlinkAttributes(bytes[...])
        var attributes: [NetlinkAttributes.Element] = []
        while let attribute = try reader.next() { attributes.append(attribute) }
        return attributes
    }

    @Test func aDatagramHoldsSeveralMessages() throws {
        let bytes =
            NetlinkBytes.message(16, sequence: 7, [1, 2, 3]) + NetlinkBytes.message(3, flags: 0x10)
        let messages = try messages(bytes)
        #expect(messages.map(\.type) == [16, 3])
        #expect(messages.map(\.sequence) == [7, 0])
        #expect(messages.map(\.flags) == [2, 0x10])
        #expect(messages.map { Array($0.payload) } == [[1, 2, 3], []])
    }

    @Test func nothingIsNothing() throws {
        #expect(try messages([]).isEmpty)
        #expect(try attributes([]).isEmpty)
    }

    @Test func aLastMessageNeedsNoPadding() throws {
        let bytes = NetlinkBytes.message(16, [1, 2, 3]).dropLast()
        #expect(try messages(Array(bytes)).map { Array($0.payload) } == [[1, 2, 3]])
    }

    @Test(arguments: [0, 1, 15, 17, 100, UInt32.max])
    func aLengthThatCannotBeIsRefused(length: UInt32) {
        let bytes = NetlinkBytes.message(16, length: length)
        #expect(throws: NetlinkError.malformed) { try messages(bytes) }
    }

    @Test func everyCutOfAMessageIsRefused() {
        let whole = NetlinkBytes.route(NetlinkBytes.over(2))
        for length in 1..<whole.count {
            #expect(throws: NetlinkError.malformed) { try messages(Array(whole.prefix(length))) }
        }
    }

    @Test func attributesLoseTheBitsThatAreNotTheirNumber() throws {
        let bytes =
            NetlinkBytes.attribute(4 | 0x8000, [1, 2, 3, 4])
            + NetlinkBytes.attribute(9 | 0x4000, [5])
        let attributes = try attributes(bytes)
        #expect(attributes.map(\.type) == [4, 9])
        #expect(attributes.map { Array($0.value) } == [[1, 2, 3, 4], [5]])
    }

    @Test(arguments: [0, 3, 9, UInt16.max])
    func anAttributesLengthThatCannotBeIsRefused(length: UInt16) {
        let bytes = NetlinkBytes.attribute(4, [1, 2, 3, 4], length: length)
        #expect(throws: NetlinkError.malformed) { try attributes(bytes) }
    }
}
