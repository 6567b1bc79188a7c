// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineMedia
import OfflineModel
import Testing

@testable import offline

@Suite(.timeLimit(.minutes(15)))
struct ProgressBlockTests {
    private func item(_ number: Int64, _ state: String, title: String) throws -> ItemRepresentation
    {
        let json = """
            {"id":\(number),"address":"http://a/","title":"\(title)","state":"\(state)",
            "quality":"best","allowsPrivateAddresses":false,"hasPicture":false,
            "createdAt":"2026-03-01T12:00:00Z"}
            """
        return try JSONFormat.decode(ItemRepresentation.self, from: Data(json.utf8))
    }

    @Test func o19_eachRunningItemHasALine() throws {
        var block = ProgressBlock(count: 4)
        block.update(try item(1, "fetching", title: "One"))
        block.update(try item(2, "queued", title: "Two"))
        block.update(try item(3, "muxing", title: "Three\\u001b[2J"))
        #expect(
            block.lines(width: 79, height: 24) == [
                "One: Fetching", "Three[2J: Joining", "0 of 4 finished",
            ]
        )
        block.end(ItemID(rawValue: 1))
        #expect(block.lines(width: 79, height: 24) == ["Three[2J: Joining", "1 of 4 finished"])
    }

    @Test func aLineFitsIntoTheTerminal() throws {
        var block = ProgressBlock(count: 12)
        for number in 1...12 {
            let title = String(repeating: "映", count: 40)
            block.update(try item(Int64(number), "fetching", title: title))
        }
        let lines = block.lines(width: 30, height: 24)
        #expect(lines.count == 9)
        #expect(lines[0] == String(repeating: "映", count: 5) + ": Fetching")
        #expect(block.lines(width: 30, height: 5).count == 4)
        #expect(block.lines(width: 30, height: 1) == ["0 of 12 finished"])
    }

    @Test func aSingleItemHasItsTitleAndNoCount() throws {
        var block = ProgressBlock(count: 1)
        #expect(block.lines(width: 79, height: 24).isEmpty)
        block.update(try item(1, "queued", title: "One"))
        #expect(block.lines(width: 79, height: 24) == ["One: Queued"])
    }
}
