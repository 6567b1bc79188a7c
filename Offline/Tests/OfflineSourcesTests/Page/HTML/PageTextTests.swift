// SPDX-License-Identifier: Apache-2.0
import OfflineSources
import Testing

@Suite(.timeLimit(.minutes(15)))
struct PageTextTests {
    private static let tail = "<title>Käse ’n’ Öl</title>"

    @Test(arguments: ["utf-8", "UTF-8", nil])
    func utf8IsRead(charset: String?) throws {
        #expect(try contents(Array(Self.tail.utf8), charset: charset).title == "Käse ’n’ Öl")
    }

    @Test(arguments: ["windows-1252", "iso-8859-1", nil])
    func windows1252IsReadWithAndWithoutItsName(charset: String?) throws {
        let bytes = [UInt8]("<title>K".utf8) + [0xe4] + [UInt8]("se ".utf8) + [0x92, 0xd6]
        #expect(try contents(bytes, charset: charset).title == "Käse ’Ö")
    }

    @Test(arguments: [false, true])
    func utf16IsReadByItsMark(isBig: Bool) throws {
        let bytes = ("\u{feff}" + Self.tail).utf16.flatMap { unit -> [UInt8] in
            let pair = [UInt8(unit >> 8), UInt8(unit & 0xff)]
            return isBig ? pair : pair.reversed()
        }
        #expect(try contents(bytes).title == "Käse ’n’ Öl")
    }

    @Test func thePageDeclaresItsEncoding() throws {
        let bytes = [UInt8]("<meta charset='windows-1251'><title>".utf8) + [0xcc, 0xe8, 0xf0]
        #expect(try contents(bytes).title == "Мир")
    }

    @Test func theServerOverridesThePage() throws {
        let text = "<meta charset=windows-1252>" + Self.tail
        #expect(try contents(Array(text.utf8), charset: "utf-8").title == "Käse ’n’ Öl")
    }

    @Test func invalidBytesAreReplaced() throws {
        let bytes = [UInt8]("<title>a".utf8) + [0xff, 0x00, 0xfe] + [UInt8]("b</title>".utf8)
        #expect(try contents(bytes, charset: "utf-8").title == "a\u{fffd} \u{fffd}b")
    }
}
