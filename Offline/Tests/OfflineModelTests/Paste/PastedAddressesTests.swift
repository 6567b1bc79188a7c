// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct PastedAddressesTests {
    private func addresses(in text: String) -> [String] {
        (try? PastedAddresses(text).addresses.map(\.text)) ?? []
    }

    @Test(arguments: [
        ("https://a.example/f.mp4", "https://a.example/f.mp4"),
        ("  https://a.example/f.mp4\n", "https://a.example/f.mp4"),
        ("HTTP://A.example/F", "http://a.example/F"),
        ("example.org/film.mp4", "https://example.org/film.mp4"),
        ("example.org", "https://example.org/"),
        ("www.example.org?v=1", "https://www.example.org/?v=1"),
        ("example.org:8443/f", "https://example.org:8443/f"),
        ("example.org:80/f", "http://example.org/f"),
        ("localhost:8080/f.mp4", "http://localhost:8080/f.mp4"),
        ("192.168.1.2/f.mp4", "http://192.168.1.2/f.mp4"),
        ("[::1]:8080/f", "http://[::1]:8080/f"),
        ("93.184.216.34/f", "https://93.184.216.34/f"),
        ("bücher.example/f", "https://xn--bcher-kva.example/f"),
        // A line with only one address is taken unchanged.
        ("https://a.example/Yahoo!", "https://a.example/Yahoo!"),
        ("https://a.example/E.T.", "https://a.example/E.T."),
        ("https://a.example/a_(film)", "https://a.example/a_(film)"),
        ("https://a.example/f,", "https://a.example/f"),
        ("https://a.example/f\">", "https://a.example/f"),
        ("https://a.example/f。很好", "https://a.example/f"),
        ("https://a.example/f#t=3", "https://a.example/f"),
    ])
    func o19_anAddressAloneIsTakenAsItIs(_ text: String, _ address: String) {
        #expect(addresses(in: text) == [address])
    }

    @Test(arguments: [
        "https://a.example/<script>alert(1)</script>.mp4", "https://a.example/\"a\"b",
        "https://a.example/`a`b", " https://a.example/f'", "https://a.example/?q=<a>b",
    ])
    func o19_anAddressAloneMayContainBracketsAndQuotes(_ text: String) throws {
        #expect(addresses(in: text) == [try WebAddress(text).text])
    }

    @Test(arguments: [
        ("look at this: https://a.example/f, great!", "https://a.example/f"),
        ("look:https://a.example/f. Great", "https://a.example/f"),
        ("(see https://a.example/f)", "https://a.example/f"),
        ("(see https://a.example/f_(1)).", "https://a.example/f_(1)"),
        ("<https://a.example/f>", "https://a.example/f"),
        ("\"https://a.example/f\"", "https://a.example/f"),
        ("“https://a.example/f”", "https://a.example/f"),
        ("'https://a.example/f'", "https://a.example/f"),
        ("it is «https://a.example/f» now", "https://a.example/f"),
        ("[A film](https://a.example/f)", "https://a.example/f"),
        ("[f](https://a.example/f_(1)), and", "https://a.example/f_(1)"),
        ("[https://a.example/f](https://a.example/f)", "https://a.example/f"),
        ("![](https://a.example/f \"Title\")", "https://a.example/f"),
        ("**https://a.example/f** is bold", "https://a.example/f"),
        ("see https://a.example/watch_ and", "https://a.example/watch_"),
        ("`https://a.example/f`", "https://a.example/f"),
        ("| https://a.example/f |", "https://a.example/f"),
        ("<a href='https://a.example/f'>film</a>", "https://a.example/f"),
        ("看https://a.example/f。很好", "https://a.example/f"),
        ("view-source:https://a.example/f", "https://a.example/f"),
        ("url=https://a.example/?u=https://b.example/", "https://a.example/?u=https://b.example/"),
        ("see example.org/film.mp4.", "https://example.org/film.mp4"),
        ("see (www.example.org) now", "https://www.example.org/"),
        ("\u{202A}https://a.example/f\u{202C}", "https://a.example/f"),
        ("\u{FEFF}https://a.example/f\u{200B}", "https://a.example/f"),
    ])
    func o19_theTextAroundAnAddressIsLeftOut(_ text: String, _ address: String) {
        #expect(addresses(in: text) == [address])
    }

    @Test(arguments: [
        "https://a.example/1\nhttps://a.example/2", "https://a.example/1 https://a.example/2",
        "https://a.example/1,https://a.example/2", "a.example/1\r\na.example/2\r\n",
        "[1](https://a.example/1)[2](https://a.example/2)",
        "1. https://a.example/1; 2. https://a.example/2; again https://a.example/1",
        "a.example/1 and a.example/2 are better than e.g. and/or 24/7 or film.mp4",
    ])
    func o19_severalAddressesAreFoundInOrderAndOnce(_ text: String) {
        #expect(addresses(in: text) == ["https://a.example/1", "https://a.example/2"])
    }

    @Test(arguments: [
        "", "\n \n", "nonsense", "film.mp4", "notes about e.g. Node.js", "1.5", "C:\\film.mp4",
        "and/or", "/etc/passwd", "../film.mp4", "https:", "look: nothing", "a..example/f",
        "write to me@example.org please", "#", "()",
    ])
    func textWithoutAnAddressSaysSo(_ text: String) {
        #expect {
            try PastedAddresses(text)
        } throws: { error in
            (error as? LibraryError)?.message.hasPrefix("There is no web address here.") == true
        }
    }

    @Test(arguments: [
        ("javascript:location='https://evil.example/'", "The scheme javascript:"),
        ("[x](javascript:fetch('https://evil.example/'))", "The scheme javascript:"),
        ("file:///etc/passwd", "The scheme file:"), ("ftp://a.example/f", "The scheme ftp:"),
        ("data:text/html,https://evil.example/", "The scheme data:"),
        ("blob:https://a.example/1-2", "The scheme blob:"),
        ("https://user:secret@a.example/f", "a user name or a password"),
        ("user:secret@a.example/f", "a user name or a password"),
        ("https://a.example/\u{202E}4pm.exe", "an invisible character"),
        ("https://exa\u{200B}mple.org/", "an invisible character"),
        ("https://a.example/\u{0}b", "a control character"),
        ("https://a.example/\u{1B}[2J", "a control character"),
        ("https://", "cannot be fetched"), ("http://:80/", "cannot be fetched"),
        ("https://" + String(repeating: "a", count: 40_000), "longer than"),
    ])
    func o14_whatCannotBeFetchedIsRefusedWithoutItsText(_ text: String, _ reason: String) {
        #expect {
            try PastedAddresses(text)
        } throws: { error in
            let message = (error as? LibraryError)?.message ?? ""
            return message.contains(reason) && !message.contains("secret")
                && !message.contains("example")
        }
    }

    @Test func aRefusalNamesItsLineAndKeepsTheOtherAddresses() throws {
        let pasted = try PastedAddresses("https://a.example/1\n\nftp://a.example/2\na.example/3")
        #expect(
            pasted.addresses.map(\.text) == ["https://a.example/1", "https://a.example/3"]
        )
        #expect(pasted.refusals.map(\.line) == [3])
        #expect(pasted.refusals.map(\.code) == ["unsupportedScheme"])
    }

    @Test func o19_aListHasComments() throws {
        let list = """
            # films: https://a.example/0
            a.example/1#t=3
              # more
            https://a.example/2 # not https://a.example/4

            https://a.example/3
            """
        #expect(
            try PastedAddresses(list, form: .list).addresses.map(\.path) == ["/1", "/2", "/3"]
        )
        #expect(throws: LibraryError.self) { try PastedAddresses("# none", form: .list) }
    }

    @Test(arguments: ["https://a.example/%\n", "ftp://a.example/%,", "x ,http://,%"])
    func tooManyAddressesAreRefused(_ pattern: String) {
        let text = (0..<10_000).map { number in
            pattern.split(separator: "%").joined(separator: "\(number)")
        }
        #expect {
            try PastedAddresses(text.joined(separator: " "))
        } throws: { error in
            (error as? LibraryError)?.message.contains("more than 1000 addresses") == true
        }
    }

    @Test func thousandAddressesAreAccepted() throws {
        let text = (1...1_000).map { "https://a.example/\($0)" }.joined(separator: "\n")
        #expect(try PastedAddresses(text).addresses.count == 1_000)
    }

    @Test func aTextBeyondTheLimitIsRefusedAtOnce() {
        let text = String(repeating: "a", count: PastedAddresses.longestText + 1)
        #expect {
            try PastedAddresses(text)
        } throws: { error in
            (error as? LibraryError)?.message.contains("larger than 1 MiB") == true
        }
    }

    @Test(arguments: ["h", "(", ")", "\u{0301}", "\u{202E}", "http://", "a.", "[](", "https:/"])
    func aHostileTextEnds(_ piece: String) {
        let count = (1 << 17) / piece.utf8.count
        let text = String(repeating: piece, count: count)
        #expect(throws: LibraryError.self) { try PastedAddresses(text) }
    }
}
