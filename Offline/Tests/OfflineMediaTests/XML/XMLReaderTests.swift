// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures

@testable import OfflineMedia

@Suite(.timeLimit(.minutes(15)))
struct XMLReaderTests {
    private func parse(_ text: String) throws -> XMLTree {
        try XMLReader.parse(Array(text.utf8))
    }

    @Test func elementsHaveAttributesTextAndChildren() throws {
        let text = "\n\u{feff}<a x='1 &amp; 2' p:y=\"3\"><b>t<!-- - -->u<![CDATA[<v>]]></b><c/></a>"
        let root = try parse(String(text.dropFirst()))
        #expect(root.name == "a")
        #expect(root["x"] == "1 & 2")
        #expect(root["p:y"] == "3")
        #expect(root.children.map(\.name) == ["b", "c"])
        #expect(root.child("b")?.text == "tu<v>")
    }

    @Test func namesHaveNoPrefix() throws {
        let root = try parse("<?xml version='1.0'?><x:a xmlns:x='u'><x:b/></x:a>\n")
        #expect(root.name == "a")
        #expect(root.child("b") != nil)
    }

    @Test(arguments: [
        "", " ", "<", "<a", "<a>", "<a><b></a></b>", "</a>", "<a/><b/>", "<a/>text", "text",
        "<a x=1/>", "<a x='1' x='2'/>", "<a>&unknown;</a>", "<a>&#0;</a>", "<a>&lt</a>",
        "<a x='<'/>", "<a><!-- -- --></a>", "<a><![CDATA[</a>", "<?xml version='1.0'?>",
        "<a b='&#xFFFFFF;'/>", "<a/><", "<a/><!--",
    ])
    func damagedDocumentsAreRefused(text: String) {
        let error = #expect(throws: XMLError.self) { try parse(text) }
        #expect(error?.code == .malformed)
    }

    @Test func o11_entitiesAreNeverExpanded() {
        let laughs = (1...9).map { "<!ENTITY l\($0) \"&l\($0 - 1);&l\($0 - 1);\">" }.joined()
        for text in [
            "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY l0 'ha'>\(laughs)]><a>&l9;</a>",
            "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>",
            "<!DOCTYPE a [<!ENTITY % x SYSTEM 'http://127.0.0.1/'>%x;]><a/>",
            "<a><!ENTITY x 'y'></a>",
        ] {
            let error = #expect(throws: XMLError.self) { try parse(text) }
            #expect(error?.code == .declarations)
        }
    }

    @Test func wordsInCommentsAreNoDeclarations() throws {
        #expect(try parse("<!-- <!DOCTYPE a> --><a>&lt;!DOCTYPE</a>").text == "<!DOCTYPE")
    }

    @Test func onlyUTF8IsRead() {
        let utf16: [UInt8] = Array("<a/>".utf8).reduce(into: []) { $0 += [$1, 0] }
        for bytes: [UInt8] in [
            [0xff, 0xfe] + utf16, utf16, Array("<a>\0</a>".utf8), Array("<a>".utf8) + [0xe4],
            [0x2b, 0x2f, 0x76, 0xff], [UInt8](repeating: 0, count: 100),
        ] {
            let error = #expect(throws: XMLError.self) { try XMLReader.parse(bytes) }
            #expect(error?.code == .encoding)
        }
    }

    @Test func aWrongNameOfTheEncodingDoesNotMatter() throws {
        let root = try parse("<?xml version='1.0' encoding='ISO-8859-1'?><a>Grüße</a>")
        #expect(root.text == "Grüße")
    }

    @Test func hugeDocumentsAreRefused() {
        let many = 300_000
        for text in [
            String(repeating: "<a>", count: many),
            String(repeating: "<a>", count: 40) + String(repeating: "</a>", count: 40),
            "<r>" + String(repeating: "<a/>", count: many) + "</r>",
            "<a " + (0..<many).map { "a\($0)='' " }.joined() + "/>",
            "<a>" + String(repeating: "x", count: many) + "</a>",
            "<a><!--" + String(repeating: "x", count: many) + "--></a>",
            "<a x='" + String(repeating: "x", count: many) + "'/>",
            "<" + String(repeating: "a", count: many) + "/>",
            "<a>" + String(repeating: "<![CDATA[xxxxxxxxxxxxxxxx]]>", count: 20_000) + "</a>",
            String(repeating: " ", count: 20 << 20),
        ] {
            let error = #expect(throws: XMLError.self) { try parse(text) }
            #expect(error?.code == .tooLarge)
        }
    }

    @Test func everyTruncationIsRefused() {
        let text = Array(
            "<?xml version='1.0'?><!-- c --><a x='&amp;'><b>t</b><![CDATA[u]]></a>".utf8
        )
        for count in text.indices {
            #expect(throws: XMLError.self) { try XMLReader.parse(Array(text.prefix(count))) }
        }
    }

    @Test func randomDamageNeverCrashes() {
        var random = SeededGenerator(102)
        let text = Array("<a x='1'><b y=\"2\">t &amp; u<!-- c --></b><![CDATA[d]]><?p i?></a>".utf8)
        for _ in 0..<5_000 {
            var bytes = text
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: bytes.indices, using: &random)
                bytes[index] =
                    Bool.random(using: &random)
                    ? "<>&'\"!-[]?/=x ".utf8.randomElement(using: &random) ?? 0
                    : UInt8.random(in: 0...255, using: &random)
            }
            _ = try? XMLReader.parse(bytes)
        }
    }
}
