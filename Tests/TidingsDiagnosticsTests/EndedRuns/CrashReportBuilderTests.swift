// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsCoreFixtures

@testable import TidingsDiagnostics

/// A symbolicator with prepared results.
private struct ScriptedSymbolicator: Symbolicator {
    struct Failure: Error {}

    var known: [UInt64: [Symbol]] = [:]
    var fails = false

    func captureImages() -> ImageList { ImageList(architecture: "x86_64", images: []) }

    func symbols(of frames: [RawCapture.Frame], images: ImageList) throws -> [[Symbol]] {
        if fails { throw Failure() }
        return frames.map { known[$0.address] ?? [] }
    }
}

extension Symbol {
    fileprivate static func at(
        _ name: String,
        file: String? = nil,
        line: Int? = nil,
        isInlined: Bool = false,
        isRuntimeFailure: Bool = false
    ) -> Symbol {
        Symbol(
            name: name,
            image: "films",
            file: file,
            line: line,
            isInlined: isInlined,
            isRuntimeFailure: isRuntimeFailure,
            isSystem: false
        )
    }
}

@Suite(.timeLimit(.minutes(15)))
struct CrashReportBuilderTests {
    private var bytes = CaptureBytes()
    private var symbolicator = ScriptedSymbolicator()
    private var metadata = CrashMetadata(
        id: "1",
        application: "films",
        release: "films@1",
        started: Date(timeIntervalSince1970: 500)
    )

    private func report(known: ImageList? = nil, isRecovered: Bool = false) throws -> Report {
        let capture = try #require(RawCapture(bytes.bytes))
        return CrashReportBuilder(
            symbolicator: symbolicator,
            writer: RedactingWriter(redactor: Redactor(homes: ["/srv/ada"]))
        ).report(capture, known: known, isRecovered: isRecovered, metadata: metadata)
    }

    private func crash() throws -> ReportedCrash { try #require(try report().crash) }

    @Test mutating func r10_theMetadataIsThatOfTheCrashedRun() throws {
        metadata.environment = "production"
        metadata.user = "7"
        metadata.values = ["queue": 3]
        metadata.session = "s"
        metadata.machine = ["system": "Debian", "kernel": "6", "architecture": "x86_64"]
        metadata.breadcrumbs = [
            Breadcrumb(date: Date(), category: "log", text: "before", location: nil)
        ]
        let report = try report()
        #expect(report.id == "1" && report.application == "films" && report.release == "films@1")
        #expect(report.environment == "production" && report.user == "7")
        #expect(report.values == ["queue": 3] && report.session == "s")
        #expect(report.machine == metadata.machine && report.breadcrumbs == metadata.breadcrumbs)
        #expect(report.level == .fatal && report.errors.isEmpty)
        #expect(report.date == Date(timeIntervalSince1970: 1_000 + 5e-9))
    }

    @Test func theSignalAndItsAddressAreNamed() throws {
        let crash = try crash()
        #expect(crash.signal == "SIGSEGV" && crash.number == 11 && crash.code == 1)
        #expect(crash.address == 16 && crash.sender == nil)
        #expect(crash.thread == 8 && crash.threadName == "worker")
        #expect(!crash.isTruncated && !crash.isRecovered && crash.text == nil)
    }

    @Test mutating func eachArchitectureHasItsRegisters() throws {
        bytes.registers = [1] + (0..<18)
        #expect(try crash().registers == ["rax": 0, "rsp": 7, "rip": 16, "rflags": 17])
        bytes.registers = [2] + (0..<34)
        #expect(
            try crash().registers == ["x0": 0, "lr": 30, "sp": 31, "pc": 32, "pstate": 33]
        )
        bytes.registers = [3, 4]
        #expect(try crash().registers.isEmpty)
    }

    @Test mutating func r20_aTextInARegisterIsNotReported() throws {
        let film = try #require(try report().images.first).start + 8
        let text = "hunter22".utf8.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        bytes.registers = [1, text, film, text >> 32]
        #expect(try crash().registers == ["rdx": film])
    }

    @Test mutating func aSignalOfAnotherProcessNamesItAndHasNoAddressAndNoReason() throws {
        bytes.signal = [6, 0, 0, 7, 8, 99, 0, 0]
        bytes.text = "main.swift:3: Fatal error: long ago\n"
        let crash = try crash()
        #expect(crash.signal == "SIGABRT" && crash.sender == 99)
        #expect(crash.address == nil && crash.reason == nil)
    }

    @Test mutating func functionsThatWereInlinedStandBeforeTheOneTheyAreIn() throws {
        symbolicator.known[0x1000] = [
            .at("first", file: "/srv/ada/films/a.swift", line: 3, isInlined: true),
            .at("outer", file: "/src/b.swift", line: 9),
        ]
        let frames = try report().frames
        #expect(frames.map(\.function) == ["first", "outer", nil])
        #expect(frames.map(\.address) == [0x1000, 0x1000, 0x2000])
        #expect(frames.map(\.kind) == [.counter, .counter, .call])
        #expect(frames.map(\.isInlined) == [true, false, false])
        #expect(frames.map(\.file) == ["~/films/a.swift", "/src/b.swift", nil])
        #expect(frames[1].line == 9 && frames[2].image == "films")
    }

    @Test mutating func symbolsThatCannotBeFoundLeaveTheAddresses() throws {
        symbolicator.fails = true
        #expect(try report().frames.map(\.address) == [0x1000, 0x2000])
    }

    @Test mutating func survivedAndIncompleteCapturesAreMarked() throws {
        #expect(try report(isRecovered: true).crash?.isRecovered == true)
        bytes.flags = 1 | 8
        #expect(try crash().isRecovered)
        for flags in [0, 2, 3, 5] as [UInt32] {
            bytes.flags = flags
            #expect(try crash().isTruncated)
        }
    }

    @Test mutating func r20_theTextIsRedactedAndItsEndIsKept() throws {
        let line = "opened /srv/ada/films?token=abcdefghijklmnop\n"
        bytes.text = String(repeating: line, count: 300) + "the end\n"
        let text = try #require(try crash().text)
        #expect(!text.contains("ada") && !text.contains("abcdefgh"))
        #expect(text.hasPrefix("opened ~") && text.hasSuffix("the end\n"))
        #expect(text.utf8.count <= 8_000)
    }

    @Test mutating func r20_aLineLongerThanTheLimitIsRedactedBeforeItIsCut() throws {
        let secrets = String(repeating: "hunter2 ", count: 1_500)
        bytes.text = "sent Cookie: \(secrets)\nthe end\n"
        let text = try #require(try crash().text)
        #expect(!text.contains("hunter") && text.hasSuffix("the end\n"))
        // The line's start, which names the header, was overwritten in the buffer.
        let end = "\nthe end\n"
        bytes.text = String(repeating: "hunter2 ", count: 2_048).dropLast(end.count) + end
        #expect(try crash().text == "the end\n")
    }

    @Test mutating func r11_arbitraryBytesGiveAReport() throws {
        let whole = bytes.bytes
        var random = SeededGenerator(11)
        let sut = CrashReportBuilder(
            symbolicator: symbolicator,
            writer: RedactingWriter(redactor: Redactor())
        )
        for round in 0..<1_000 {
            var torn = round < whole.count ? Array(whole.prefix(round)) : whole
            for _ in 0..<(torn.isEmpty ? 0 : 6) {
                let index = Int.random(in: 0..<torn.count, using: &random)
                torn[index] = .random(in: 0...255, using: &random)
            }
            guard let capture = RawCapture(torn) else { continue }
            let report = sut.report(capture, known: nil, isRecovered: false, metadata: metadata)
            #expect(report.crash != nil && report.frames.count < 1_000, "\(random)")
        }
    }

    @Test func aCrashAlwaysHasTheSameIdentifierAndNoOtherHasIt() {
        let one = CrashMetadata.identifier(run: "12-34-abcd", number: 0)
        #expect(UUID(uuidString: one)?.uuidString.lowercased() == one)
        #expect(one == CrashMetadata.identifier(run: "12-34-abcd", number: 0))
        let all = (0..<1_000).flatMap { run in
            (0..<2).map { CrashMetadata.identifier(run: "12-\(run)-abcd", number: $0) }
        }
        #expect(Set(all).count == 2_000)
    }
}
