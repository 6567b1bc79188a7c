// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation
import Testing

@testable import TidingsDiagnostics

/// A report from a file without symbols, as from a delivered program.
@Suite(.timeLimit(.minutes(15)))
struct ReportSymbolsTests {
    private static func report(_ change: (inout ReportedImage) -> Void = { _ in }) throws -> Report
    {
        let frames = CallStack().frames()
        let list = LoadedImages.ofThisProcess()
        let here = try #require(frames.first.flatMap { list.image(at: $0.address) })
        var image = ReportedImage(
            path: "/opt/delivered",
            buildID: here.buildID,
            start: here.start,
            end: here.end
        )
        change(&image)
        var report = Report(
            id: "a",
            date: Date(timeIntervalSince1970: 0),
            level: .fatal,
            application: "test",
            release: "test@1",
            errors: [],
            context: [:],
            values: [:],
            breadcrumbs: []
        )
        report.frames = frames.map { ReportedFrame(address: $0.address, kind: .call) }
        report.threads = [ReportedThread(number: 1, name: nil, frames: report.frames)]
        report.images = [image]
        return report
    }

    private static func binary() throws -> String {
        let list = LoadedImages.ofThisProcess()
        let frame = try #require(CallStack().frames().first)
        return try #require(list.image(at: frame.address)).path
    }

    @Test func theFunctionsOfADeliveredProgramAreFound() throws {
        let report = try Self.report()
        #expect(report.frames.allSatisfy { $0.function == nil })
        let found = try report.symbolicated(with: Self.binary())
        #expect(
            found.frames.contains {
                $0.function?.contains("ReportSymbolsTests.report") == true
                    && $0.file?.hasSuffix("ReportSymbolsTests.swift") == true && $0.line != nil
            }
        )
        #expect(found.threads.map(\.frames) == [found.frames])
        // A second symbolication adds nothing.
        #expect(try found.symbolicated(with: Self.binary()).frames == found.frames)
        let again = try #require(Report(encoded: found.encoded()))
        #expect(again.frames == found.frames)
    }

    @Test func framesOfOtherFilesStayAsTheyAre() throws {
        var report = try Self.report()
        let own = report.frames
        let inlined = ReportedFrame(address: 16, kind: .call, function: "a", isInlined: true)
        let call = ReportedFrame(address: 16, kind: .call, function: "b")
        let others = Array(repeating: [inlined, call], count: 20).flatMap { $0 }
        report.frames = others + own
        let found = try report.symbolicated(with: Self.binary())
        #expect(Array(found.frames.prefix(others.count)) == others)
        #expect(found.frames.count < 3 * (others.count + own.count))
    }

    @Test func r11_aPipeInThePlaceOfAFileIsNoFile() throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        #expect(BuildID.ofFile(folder.path + "/pipe") == nil)
    }

    @Test func r20_anotherBuildIsRefused() throws {
        let report = try Self.report { $0.buildID = "00" }
        let error = #expect(throws: SymbolicationError.self) {
            try report.symbolicated(with: Self.binary())
        }
        #expect(error?.code == .otherBuild)
        #expect(error?.message.contains("/opt/delivered 00") == true)
    }

    @Test func aFileWithoutABuildIsRefused() throws {
        let report = try Self.report()
        for path in ["/etc/passwd", "/nowhere", "/"] {
            let error = #expect(throws: SymbolicationError.self) {
                try report.symbolicated(with: path)
            }
            #expect(error?.code == .otherBuild)
        }
    }
}
#endif
