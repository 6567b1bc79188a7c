// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct CollectionNameTests {
    @Test(arguments: [
        ("Train", "tRAIN"), ("Straße", "STRASSE"), ("Caf\u{E9}", "CAFE\u{301}"),
        (" Train\n", "Train"), ("ΟΔΟΣ", "οδος"), ("οδος", "οδοσ"), ("Tr\u{200B}ain", "Train"),
    ])
    func o33_theseNamesAreEqual(_ one: String, _ other: String) throws {
        #expect(try CollectionName(one).folded == CollectionName(other).folded)
    }

    @Test(arguments: [("Train", "Trains"), ("Cafe", "Café"), ("A B", "AB")])
    func theseNamesDiffer(_ one: String, _ other: String) throws {
        #expect(try CollectionName(one).folded != CollectionName(other).folded)
    }

    @Test(arguments: [
        "", " \t\n", "\u{200B}", "a\u{0}b", "a\nb", "a\u{1B}[31mb", "a\u{2028}b", "a\u{7F}",
        String(repeating: "x", count: 201), "e" + String(repeating: "\u{301}", count: 1_000_000),
    ])
    func o33_invalidNamesAreRefused(_ text: String) throws {
        let error = #expect(throws: LibraryError.self) { try CollectionName(text) }
        #expect(error?.code == .invalidName)
        #expect(error?.message.contains(". Use ") == true)
    }

    @Test func aNameKeepsItsCaseWithoutTheSpaceAroundIt() throws {
        #expect(try CollectionName("  For the Train ").text == "For the Train")
        let longest = String(repeating: "é", count: 200)
        #expect(try CollectionName(longest).text == longest)
    }
}
