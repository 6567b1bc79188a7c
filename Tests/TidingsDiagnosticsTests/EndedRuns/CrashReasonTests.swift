// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct CrashReasonTests {
    private func reason(_ text: String?, _ innermost: [Symbol] = []) throws -> String? {
        var bytes = CaptureBytes()
        bytes.signal[0] = 4
        bytes.text = text
        let capture = try #require(RawCapture(bytes.bytes))
        return CrashReason(capture, innermost: innermost)?.text
    }

    private func failure(isSystem: Bool = false) -> [Symbol] {
        ["Swift runtime failure: arithmetic overflow", "add(_:_:)"].map { name in
            Symbol(
                name: name,
                image: "films",
                file: nil,
                line: nil,
                isInlined: name != "add(_:_:)",
                isRuntimeFailure: name != "add(_:_:)",
                isSystem: isSystem
            )
        }
    }

    @Test(arguments: [
        ("hello\nfilms/a.swift:3: Fatal error: no film\n", "Fatal error: no film"),
        ("films/a.swift:3: Precondition failed: no film\n", "Precondition failed: no film"),
        (
            "a.swift:3: Fatal error: first\na.swift:4: Fatal error: two\nlines\n",
            "Fatal error: two\nlines"
        ),
        (
            "a.swift:3: Fatal error: no\n\nCurrent stack trace:\n0 libswiftCore.so",
            "Fatal error: no"
        ),
        ("films: a.c:3: f: Assertion `x' failed.\n", "Assertion `x' failed."),
        ("Could not cast value of type 'A' to 'B'.", "Could not cast value of type 'A' to 'B'."),
    ])
    func theTextContainsTheReason(_ text: String, _ wanted: String) throws {
        #expect(try reason(text) == wanted)
    }

    @Test func aCrashWithoutAMessageHasNoReason() throws {
        #expect(try reason(nil) == nil)
        #expect(try reason("all is well\n") == nil)
    }

    @Test func aTrapHasItsOwnReason() throws {
        let wanted = "Swift runtime failure: arithmetic overflow"
        #expect(try reason(nil, failure()) == wanted)
        #expect(try reason("a.swift:3: Fatal error: of a child\n", failure()) == wanted)
        let inRuntime = failure(isSystem: true)
        #expect(try reason("a.swift:3: Fatal error: no\n", inRuntime) == "Fatal error: no")
        #expect(try reason(nil, inRuntime) == wanted)
    }

    @Test func r21_theWordsOfTheCLibraryAreTheReason() throws {
        var bytes = CaptureBytes()
        bytes.abortMessage = "malloc(): corrupted top size\n"
        bytes.text = "a.swift:3: Fatal error: of a child\n"
        let capture = try #require(RawCapture(bytes.bytes))
        #expect(CrashReason(capture, innermost: [])?.text == "malloc(): corrupted top size")
        let trap = failure().first?.name
        #expect(CrashReason(capture, innermost: failure())?.text == trap)
    }

    @Test func aReasonOfManyLinesIsCut() throws {
        let text = "a.swift:3: Fatal error: 0\n" + (1..<50).map { "\($0)\n" }.joined()
        #expect(try reason(text)?.split(separator: "\n").count == 8)
    }
}
