// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsDiagnostics
import TidingsSentry

@testable import tidings_symbolicate

@Suite(.timeLimit(.minutes(15)))
struct ReportInputTests {
    /// Returns a crash in an inlined function, below a recursion.
    private static func crash() -> Report {
        var report = Report(level: .fatal, application: "films", release: "films@1")
        report.crash = ReportedCrash(signal: "SIGILL", numbered: 4, because: 2, on: 7)
        report.environment = "production"
        report.machine["architecture"] = "x86_64"
        let calls: [(UInt64, String)] = [
            (0x1100, "get(_:)"), (0x1100, "pick(_:)"), (0x1200, "walk()"), (0x1200, "walk()"),
            (0x1300, "main()"),
        ]
        report.frames = calls.enumerated().map { index, call in
            var frame = ReportedFrame(at: call.0, index < 2 ? .counter : .call)
            (frame.function, frame.isInlined, frame.image) = (call.1, index == 0, "films")
            return frame
        }
        report.images = [
            ReportedImage(path: "/usr/bin/films", buildID: "ab12cd34", start: 0x1000, end: 0x2000)
        ]
        return report
    }

    private static func line(_ text: String) -> String {
        text.split(separator: "\n").joined()
    }

    @Test func anEventIsReadLikeItsReport() throws {
        var report = Self.crash()
        for reason in [nil, "Fatal error: no film", "Swift runtime failure: overflow"] {
            report.crash?.reason = reason
            let event = SentrySink.preview(of: report)
            let read = try #require(Report.all(in: Data(event.utf8)).first)
            #expect(read.frames == report.frames)
            #expect(read.images == report.images)
            #expect(read.crash == report.crash)
            #expect(read.frameLines == report.frameLines)
            #expect(read.release == report.release && read.machine == report.machine)
            #expect(read.id == report.id.filter { $0 != "-" })
        }
    }

    @Test func unknownCallsAtOneAddressAreARecursion() throws {
        var report = Self.crash()
        for index in report.frames.indices {
            report.frames[index].function = nil
            report.frames[index].isInlined = false
        }
        report.frames[1].kind = .call
        let event = SentrySink.preview(of: report)
        #expect(Report.all(in: Data(event.utf8)).map(\.frames) == [report.frames])
    }

    @Test func anEventOfAnErrorHasItsCauses() throws {
        var report = Self.crash()
        report.crash = nil
        report.level = .error
        report.errors = [
            ReportedError(domain: "Films", message: "no film"),
            ReportedError(domain: "Disk", message: "no space"),
        ]
        for index in report.frames.indices { report.frames[index].kind = .call }
        let event = SentrySink.preview(of: report)
        let read = try #require(Report.all(in: Data(event.utf8)).first)
        #expect(read.errors.map(\.domain) == ["Films", "Disk"] && read.crash == nil)
        #expect(read.frames == report.frames && read.level == .error)
    }

    @Test func envelopesAndLinesOfReportsAreRead() async throws {
        let report = Self.crash()
        let event = Self.line(SentrySink.preview(of: report))
        let envelope = """
            {"event_id":"\(report.id)"}
            {"type":"event","length":\(event.utf8.count)}
            \(event)
            {"type":"attachment","length":3}
            abc
            """
        #expect(Report.all(in: Data(envelope.utf8)).map(\.frames) == [report.frames])
        let path = NSTemporaryDirectory() + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        let sink = FileSink(path: path)
        for _ in 0..<2 { _ = await sink.send(ReportDelivery(report: report)) }
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data("{\"sent".utf8))
        let read = Report.all(in: try Data(contentsOf: URL(filePath: path)))
        #expect(read.map(\.frames) == [report.frames, report.frames])
    }

    @Test(arguments: [
        "", "\n\n", "{", "[]", "{}", "null", "{\"event_id\": 1}", "{\"report\": null}",
        "{\"event_id\": \"a\", \"exception\": {\"values\": []}}",
        "{\"event_id\": \"a\", \"exception\": {\"values\": [{\"stacktrace\": {\"frames\": []}}]}}",
        String(repeating: "[", count: 100_000),
    ])
    func otherTextsContainNoReport(_ text: String) {
        #expect(Report.all(in: Data(text.utf8)).isEmpty)
    }

    @Test func anEventWithStrangeValuesIsRead() throws {
        let event = """
            {"event_id": "a", "exception": {"values": [{"stacktrace": {"frames": [
              {"instruction_addr": "0xffffffffffffffff"}, {"instruction_addr": "12"},
              {"instruction_addr": "0x"}, {"function": "f"}]}}]},
             "debug_meta": {"images": [
              {"type": "elf", "code_id": "AB", "image_addr": "0xffffffffffffffff", "image_size": 9},
              {"type": "macho", "code_id": "ab", "image_addr": "0x1", "image_size": 1},
              {"type": "elf", "code_id": "AB", "image_addr": "0x1", "image_size": 1}]}}
            """
        let report = try #require(Report.all(in: Data(event.utf8)).first)
        #expect(report.frames.map(\.address) == [.max])
        #expect(report.images.map(\.buildID) == ["ab"])
    }

    @Test func partsOfAnUnexpectedTypeCountAsMissing() throws {
        let event = """
            {"event_id": "a", "release": 1, "environment": [], "exception": {"values": [7, null,
              {"type": 1, "value": {}, "thread_id": "7", "mechanism": {"synthetic": "x",
               "meta": {"signal": {"number": 11, "code": "1", "name": 2}}},
               "stacktrace": {"frames": [
                "f", null, {"instruction_addr": "0x20", "lineno": "3", "in_app": 1, "package": 2},
                {"instruction_addr": -1}, {"instruction_addr": 1.5}, {"instruction_addr": true},
                {"instruction_addr": 48, "function": ["f"], "abs_path": {}, "lineno": 4}]}}]},
             "debug_meta": {"images": ["x", {"type": "elf", "code_id": 1, "image_addr": 1},
              {"type": "elf", "code_id": "ab", "image_addr": 16, "image_size": 64,
               "code_file": 3}]},
             "contexts": {"app": "x", "device": {"arch": 3}}}
            """
        let report = try #require(Report.all(in: Data(event.utf8)).first)
        #expect(report.frames.map(\.address) == [48, 32])
        #expect(report.frames.map(\.line) == [4, nil])
        #expect(report.frames.allSatisfy { $0.function == nil && $0.file == nil && !$0.isSystem })
        #expect(report.images.map(\.start) == [16] && report.images.map(\.path) == [""])
        #expect(report.crash == ReportedCrash(signal: "Signal 11", numbered: 11, because: 0, on: 0))
        #expect(report.release.isEmpty && report.environment == nil)
    }

    @Test(arguments: ["debug_meta", "contexts", "release", "environment"])
    func onePartOfAnUnexpectedTypeHidesNoOther(_ name: String) throws {
        for value in ["1", "\"x\"", "[]", "{}", "null", "{\"images\": 1, \"app\": 1}"] {
            let event = """
                {"event_id": "a", "exception": [{"type": "Films", "stacktrace": {"frames": [
                  {"instruction_addr": "0x20"}]}}], "\(name)": \(value)}
                """
            let report = try #require(Report.all(in: Data(event.utf8)).first)
            #expect(report.frames.map(\.address) == [32])
            #expect(report.errors.map(\.domain) == ["Films"])
        }
    }

    @Test func aFolderWithoutSymbolsIsReported() throws {
        let report = Self.crash()
        var unknown = report
        for index in unknown.frames.indices { unknown.frames[index].function = nil }
        let folder = try #require(DebugFolder("/proc/self/fdinfo"))
        let result = Symbols(binaries: [], folders: [folder]).result(of: unknown)
        #expect(!result.isSymbolicated && result.report == unknown)
        #expect(result.notes.count == 1)
        #expect(result.notes.first?.contains("/usr/bin/films (ab12cd34)") == true)
    }
}
