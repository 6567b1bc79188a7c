// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsDiagnostics

/// The program is mapped at 0x1000 and the C library at 0x9000.
@Suite(.timeLimit(.minutes(5)))
struct CrashStackTests {
    private var bytes = CaptureBytes()

    init() {
        bytes.mappings = [
            .init(start: 0x1000, end: 0x5000, base: 0x800, path: "/srv/films/films"),
            .init(start: 0x9000, end: 0xA000, base: 0x8000, path: "/usr/lib/x86_64/libc.so.6"),
        ]
    }

    private func calls() throws -> [CrashStack.Call] {
        let capture = try #require(RawCapture(bytes.bytes))
        return CrashStack(capture, images: ImageList(capture, known: nil)).calls
    }

    @Test mutating func completeFrameChainsAreNotScanned() throws {
        bytes.frames = [0x1000, 0, 0x2000, 1, 0x9100, 1]
        bytes.candidates = [0x3000, 0x2000, 0x3100, 0x9100, 0x9200]
        #expect(try calls().map(\.address) == [0x1000, 0x2000, 0x9100])
        #expect(try calls().map(\.kind) == [.counter, .call, .call])
    }

    @Test mutating func r21_inALibraryScannedCallsPrecedeTheNextFrame() throws {
        bytes.frames = [0x9000, 0, 0x2000, 1, 0x9100, 1]
        bytes.candidates = [0x9050, 0x3000, 0x2000, 0x3100, 0x9100]
        #expect(try calls().map(\.address) == [0x9000, 0x9050, 0x3000, 0x2000, 0x9100])
        #expect(try calls().map(\.kind) == [.counter, .scanned, .scanned, .call, .call])
    }

    @Test mutating func withoutFramesAllScannedCallsAreReported() throws {
        bytes.frames = [0x9000, 0]
        bytes.candidates = [0x9050, 0x3000]
        #expect(try calls().map(\.address) == [0x9000, 0x9050, 0x3000])
        bytes.frames = []
        #expect(try calls().map(\.address) == [0x9050, 0x3000])
        bytes.frames = [0x1000, 0]
        #expect(try calls().map(\.address) == [0x1000, 0x9050, 0x3000])
    }

    @Test mutating func whereFramesEndEarlyTheRestIsScanned() throws {
        bytes.frames = [0x1000, 0, 0x2000, 1]
        bytes.candidates = [0x3000, 0x2000, 0x3100, 0x9100]
        #expect(try calls().map(\.address) == [0x1000, 0x2000, 0x3100, 0x9100])
        #expect(try calls().last?.kind == .scanned)
        bytes.frames = [0x1000, 0, 0x2000, 2]
        #expect(try calls().map(\.kind) == [.counter, .resumption])
    }

    @Test mutating func aGapIsFilledUpToTheLimit() throws {
        bytes.frames = [0x9000, 0, 0x2000, 1]
        bytes.candidates = (0..<1_000).map { 0x3000 + $0 }
        #expect(try calls().count == 2 + CrashStack.gapLimit)
    }

    @Test mutating func onlyTheImagesOfTheFramesAreReported() throws {
        bytes.frames = [0x1000, 0]
        bytes.candidates = []
        let capture = try #require(RawCapture(bytes.bytes))
        let list = ImageList(capture, known: nil)
        let stack = CrashStack(capture, images: list)
        let images = stack.images(
            of: list,
            writer: RedactingWriter(redactor: Redactor(homes: ["/srv"]))
        )
        #expect(images.map(\.path) == ["~/films/films"])
        #expect(images.first?.buildID == "0a00ff" && images.first?.start == 0x800)
    }

    @Test mutating func r21_aFunctionOfTheProgramWithoutALineIsNotOfTheSystem() throws {
        bytes.frames = [0x1000, 0, 0x2000, 1]
        bytes.candidates = []
        let capture = try #require(RawCapture(bytes.bytes))
        let list = ImageList(capture, known: nil)
        let stack = CrashStack(capture, images: list)
        let writer = RedactingWriter(redactor: Redactor(homes: []))
        let names = [Self.symbol("pay", nil), Self.symbol("take()", "basket.swift")]
        let reported = stack.reported(names.map { [$0] }, images: list, writer: writer)
        #expect(reported.map(\.isSystem) == [false, false])
    }

    private static func symbol(_ name: String, _ file: String?) -> Symbol {
        Symbol(
            name: name,
            image: "films",
            file: file,
            line: file.map { _ in 3 },
            isInlined: false,
            isRuntimeFailure: false,
            isSystem: false
        )
    }
}
