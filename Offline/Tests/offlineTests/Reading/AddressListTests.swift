// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsHTTP

@testable import offline

@Suite(.timeLimit(.minutes(15)))
struct AddressListTests {
    private func list(_ words: [String], _ files: [String: String] = [:]) throws -> AddressList {
        try AddressList(words: words, files: files.keys.sorted()) { name, limit in
            Data((files[name] ?? "").utf8.prefix(limit))
        }
    }

    @Test func o19_wordsComeBeforeListsAndEachAddressOnce() throws {
        let list = try list(
            ["b.example/1", "see https://b.example/2."],
            ["x": "https://b.example/3\n# https://b.example/5", "y": "b.example/1\nb.example/4"]
        )
        #expect(list.addresses.map(\.path) == ["/1", "/2", "/3", "/4"])
        #expect(list.faults.isEmpty)
    }

    @Test func faultsNameTheFileAndTheLine() throws {
        let list = try list(
            ["ftp://b.example/1"],
            ["x": "b.example/2\nfile:///etc/passwd\n\nmisspelt # note", "y": ""]
        )
        #expect(list.addresses.map(\.path) == ["/2"])
        #expect(
            list.faults == [
                "The scheme ftp: is not supported. Use http or https.",
                "x, line 2: The scheme file: is not supported. Use http or https.",
                "x, line 4: There is no web address here. Give one such as "
                    + "https://example.org/film.mp4.",
                "y: There is no web address here. Give one such as https://example.org/film.mp4.",
            ]
        )
    }

    @Test func withoutAnAddressTheFirstFaultIsThrown() {
        #expect(throws: UsageError("The scheme ftp: is not supported. Use http or https.")) {
            try list(["ftp://b.example/1", "nothing"])
        }
    }

    @Test func aListThatIsNotTextIsRefused() {
        #expect(throws: UsageError("x is not text in UTF-8.")) {
            try AddressList(words: [], files: ["x"]) { _, _ in Data([0xFF, 0xFE, 0x00]) }
        }
    }

    @Test func aMissingListIsNamed() {
        #expect(
            throws: UsageError("/nowhere/list cannot be read. Check the path and the permissions.")
        ) {
            try AddressList(words: [], files: ["/nowhere/list"])
        }
    }
}
