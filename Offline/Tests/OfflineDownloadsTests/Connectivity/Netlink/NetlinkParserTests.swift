// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineDownloads

@Suite(.timeLimit(.minutes(15)))
struct NetlinkParserTests {
    private func messages(_ bytes: [UInt8]) throws(NetlinkError) -> [NetlinkMessage] {
        var parser = NetlinkMessageParser(bytes[...])
        var messages: [NetlinkMessage] = []
        while let message = try parser.next() { messages.append(message) }
        return messages
    }

    private func attributes(
        _ bytes: [UInt8]
    ) throws(NetlinkError) -> [NetlinkAttributeParser.Attribute] {
        var parser = NetlinkAttributeParser(bytes[...])
        var attributes: [NetlinkAttributeParser.Attribute] = []
        while let attribute = try parser.next() { attributes.append(attribute) }
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

    @Test func emptyBytesHoldNothing() throws {
        #expect(try messages([]).isEmpty)
        #expect(try attributes([]).isEmpty)
    }

    @Test func theLastMessageNeedsNoPadding() throws {
        let bytes = NetlinkBytes.message(16, [1, 2, 3]).dropLast()
        #expect(try messages(Array(bytes)).map { Array($0.payload) } == [[1, 2, 3]])
    }

    @Test(arguments: [0, 1, 15, 17, 100, UInt32.max])
    func anInvalidMessageLengthIsRejected(length: UInt32) {
        let bytes = NetlinkBytes.message(16, length: length)
        #expect(throws: NetlinkError.malformed) { try messages(bytes) }
    }

    @Test func everyTruncationOfAMessageIsRejected() {
        let whole = NetlinkBytes.route(NetlinkBytes.interface(2))
        for length in 1..<whole.count {
            #expect(throws: NetlinkError.malformed) { try messages(Array(whole.prefix(length))) }
        }
    }

    @Test func flagBitsAreRemovedFromAttributeTypes() throws {
        let bytes =
            NetlinkBytes.attribute(4 | 0x8000, [1, 2, 3, 4])
            + NetlinkBytes.attribute(9 | 0x4000, [5])
        let attributes = try attributes(bytes)
        #expect(attributes.map(\.type) == [4, 9])
        #expect(attributes.map { Array($0.value) } == [[1, 2, 3, 4], [5]])
    }

    @Test(arguments: [0, 3, 9, UInt16.max])
    func anInvalidAttributeLengthIsRejected(length: UInt16) {
        let bytes = NetlinkBytes.attribute(4, [1, 2, 3, 4], length: length)
        #expect(throws: NetlinkError.malformed) { try attributes(bytes) }
    }
}
