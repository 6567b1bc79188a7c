// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsDiagnostics

/// A stack in a program that is mapped at 0x1000, with the C library at 0x9000.
@Suite(.timeLimit(.minutes(15)))
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
        let images = list.reported(
            for: [stack],
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

    @Test func r25_callersWithoutAFrameRecordStandBetweenTheOthers() throws {
        let calls = try WalkFixture().stack().calls
        #expect(calls.map(\.address) == [0x1000, 0x9100, 0x2000, 0x3000])
        #expect(calls.map(\.kind) == [.counter, .call, .call, .call])
        // These are the numbers of the captured frames, which may have suspended callers.
        #expect(calls.map(\.frame) == [0, 1, nil, 2])
    }

    @Test func r25_whereNoCallerIsFoundTheGapIsNamed() throws {
        var fixture = WalkFixture()
        fixture.bytes.candidates = [0x9100, 0x3000]
        fixture.bytes.places = [3, 9]
        var stack = try fixture.stack()
        #expect(stack.calls.map(\.address) == [0x1000, 0x9100, 0, 0x3000])
        let writer = RedactingWriter(redactor: Redactor(homes: []))
        let list = ImageList(architecture: "x86_64", images: [])
        let frames = stack.reported(stack.calls.map { _ in [] }, images: list, writer: writer)
        #expect(frames[2].function == "[callers without frame records are missing]")
        // Lists of calls fold frames of the system, but not gaps.
        #expect(frames[2].isGap && !frames[2].isSystem && frames[2].image == nil)
        // The chain ends in the library, as at the first function of a thread.
        fixture.bytes.frames = [0x1000, 0, 0x9100, 1]
        fixture.bytes.candidates = [0x9100]
        stack = try fixture.stack()
        #expect(stack.calls.map(\.address) == [0x1000, 0x9100, 0])
    }

    @Test func r25_possibleCallersStandInAGapThatTheTablesDoNotExplain() throws {
        var fixture = WalkFixture()
        fixture.rules.known[0x90FF] = .frameless(4_096)
        let calls = try fixture.stack().calls
        #expect(calls.map(\.address) == [0x1000, 0x9100, 0x2000, 0x3000])
        #expect(calls.map(\.kind) == [.counter, .call, .scanned, .call])
    }

    @Test func aRecursionBeyondTheCapturedPartOfTheStackIsKept() throws {
        var fixture = WalkFixture()
        fixture.bytes.frames = [0x1000, 0] + (0..<200).flatMap { _ in [0x2000, 1] as [UInt64] }
        fixture.bytes.candidates = [0x2000, 0x2000, 0x2000]
        fixture.bytes.places = [3, 5, 7]
        fixture.bytes.links = [2, 4, 4, 6, 6, 8]
        let stack = try fixture.stack()
        #expect(try fixture.walk().addresses.count == 3)
        #expect(stack.calls.prefix(201).map(\.frame) == Array(0...200))
    }

    @Test func theFirstFunctionOfAThreadHasNoCallers() throws {
        var fixture = WalkFixture()
        // The walk does not reach the first function, because the caller's frame was not captured.
        fixture.bytes.places = [3, 100, 101]
        fixture.bytes.candidates = [0x9100, 0x3000, 0x3100]
        fixture.rules.known[0x90FF] = .record
        #expect(try fixture.stack().calls.map(\.address) == [0x1000, 0x9100, 0x3000])
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
