// SPDX-License-Identifier: Apache-2.0
import OfflineSources
import Testing
import TidingsCoreFixtures
import TidingsHTTP

/// Tests of pages that are made to be slow or large.
///
/// A quadratic parser would exceed the time limit of the suite.
@Suite(.timeLimit(.minutes(15)))
struct HostilePageTests {
    private static let film = "<video src=/film.mp4></video>"

    /// Strange markup that browsers tolerate.
    private static let tolerated: [String] = [
        "<div><p><b>unclosed <a href=x><table><td>",
        String(repeating: "<div>", count: 25_000),
        String(repeating: "<b><i>", count: 12_000),
        String(repeating: "<table><tr><td>", count: 8_000),
        "<div data-x='" + String(repeating: "x", count: 2_000_000) + "'>",
        "a\u{0}b<vi\u{0}deo>\u{0}</p></p>",
        String(repeating: "<!---->", count: 50_000),
        "<script>" + String(repeating: "{[(", count: 75_000) + "</script>",
        "<script>'" + String(repeating: "\\u0041/*", count: 50_000) + "</script>",
    ]

    @Test(arguments: tolerated.indices)
    func aFilmAfterStrangeMarkupIsFound(index: Int) throws {
        let page = try contents(Self.tolerated[index] + Self.film)
        #expect(page.isComplete)
        #expect(page.candidates.map(\.media.address.path) == ["/film.mp4"])
    }

    /// Markup that would take a quadratic time after a film.
    private static let endless: [String] = [
        "<div " + (0..<120_000).map { "a\($0)=1" }.joined(separator: " ") + ">",
        "<div a1 " + String(repeating: "a1 ", count: 250_000) + ">",
        String(repeating: "<div>", count: 50_000) + String(repeating: "</i>", count: 250_000),
        "<i>" + String(repeating: "<div>", count: 12_000)
            + String(repeating: "</i>", count: 250_000),
        String(repeating: "<div>", count: 12_000) + String(repeating: "<body>", count: 250_000),
    ]

    @Test(arguments: endless.indices)
    func aPageThatTakesTooLongKeepsItsBeginning(index: Int) throws {
        let page = try contents(Self.film + Self.endless[index])
        #expect(page.candidates.map(\.media.address.path) == ["/film.mp4"])
    }

    @Test func statementsBeyondTheLimitAreDropped() throws {
        let entries = (0..<25_000).map { "{file:'/f\($0)x.mp4'}" }.joined(separator: ",")
        let page = try contents("<script>setup({playlist:[\(entries)]})</script>")
        #expect(page.candidates.count == 64)
    }

    @Test func nestedTextsOfJSONEnd() throws {
        var text = "{'file':'/film.mp4'}"
        for _ in 0..<12 {
            text = "{'a':'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'}"
        }
        #expect(try contents("<script>\(text)</script>\(Self.film)").candidates.count == 1)
    }

    @Test func longAddressesAreIgnored() throws {
        let long = "/" + String(repeating: "a", count: 25_000) + ".mp4"
        #expect(try contents("<video src='\(long)'></video>").candidates.isEmpty)
    }

    @Test func randomBytesAreNoMedia() throws {
        var generator = SeededGenerator(67)
        let bytes = (0..<250_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        #expect(try contents(bytes).candidates.count <= 64, "\(generator)")
    }
}
