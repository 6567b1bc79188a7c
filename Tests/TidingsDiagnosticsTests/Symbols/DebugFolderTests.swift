// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation
import Testing
import TidingsCoreFixtures

@testable import TidingsDiagnostics

/// Debug files in a folder, made by the usual tools from a real program.
@Suite(.timeLimit(.minutes(30)))
struct DebugFolderTests {
    private let program: CompiledProgram
    private let image: ReportedImage
    private let report: Report
    private let folder: TemporaryFolder
    private let build: String

    init() throws {
        program = try CompiledProgram("-g", "-Wl,--build-id=sha1")
        folder = try TemporaryFolder()
        build = try BuildID.text(of: #require(BuildID.ofFile(program.path)))
        // The image is at another address, like a program whose load address is random.
        let base: UInt64 = 0x5555_0000_0000
        image = ReportedImage(
            path: "/opt/delivered",
            buildID: build,
            start: base,
            end: base + 0x10_0000
        )
        var report = Report(application: "test", release: "test@1")
        report.frames = try program.addresses(of: "outermost").map {
            ReportedFrame(at: base + $0, .call)
        }
        report.images = [image]
        self.report = report
    }

    private func run(_ words: String...) throws {
        try CompiledProgram.output(of: words, in: folder.path)
    }

    /// Copies the debug information of the program to a path in the folder.
    private func keepDebugFile(at name: String, tool: String = "objcopy") throws {
        let path = "\(folder.path)/\(name)"
        let parent = (path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(
            atPath: parent,
            withIntermediateDirectories: true
        )
        try run(tool, "--only-keep-debug", program.path, path)
    }

    private func found() throws -> (report: Report, missing: [ReportedImage]) {
        report.symbolicated(in: [try #require(DebugFolder(folder.path))])
    }

    @Test(
        arguments: [
            "lib/deep/any.debug", "program", ".build-id", "usr/lib/debug/.build-id", "",
        ],
        ["objcopy", "llvm-objcopy"]
    )
    func r20_aDebugFileIsFoundByItsBuild(_ place: String, _ tool: String) throws {
        let isByBuild = place.hasSuffix(".build-id") || place.isEmpty
        let name = "\(build.prefix(2))/\(build.dropFirst(2)).debug"
        try keepDebugFile(at: isByBuild ? "\(place)/\(name)" : place, tool: tool)
        let whole = try report.symbolicated(with: program.path)
        let found = try found()
        #expect(found.report == whole && found.missing.isEmpty)
        #expect(found.report.frames.contains { $0.isInlined && $0.file != nil && $0.line != nil })
    }

    @Test(arguments: ["stripped.debug", ".debug/stripped.debug", "elsewhere/stripped.debug"])
    func r20_aStrippedFileNamesItsDebugFile(_ name: String) throws {
        // The files have no build ID, so that only the checksum identifies the debug file.
        try keepDebugFile(at: name)
        try run("objcopy", "--remove-section=.note.gnu.build-id", "\(folder.path)/\(name)")
        let stripped = "\(folder.path)/stripped"
        try run(
            "objcopy",
            "--strip-all",
            "--add-gnu-debuglink=\(folder.path)/\(name)",
            program.path,
            stripped
        )
        let whole = try report.symbolicated(with: program.path)
        #expect(try found().report == whole)
        // A file that has changed since does not belong to the stripped program.
        let file = try #require(FileHandle(forWritingAtPath: "\(folder.path)/\(name)"))
        try file.seekToEnd()
        try file.write(contentsOf: [0])
        let other = try found()
        #expect(other.report == report && other.missing == [image])
    }

    @Test func theProgramAtItsOldPathNamesItsDebugFile() throws {
        let delivered = try TemporaryFolder()
        try keepDebugFile(at: "x/stripped.debug")
        try run("objcopy", "--remove-section=.note.gnu.build-id", "\(folder.path)/x/stripped.debug")
        try run(
            "objcopy",
            "--strip-all",
            "--add-gnu-debuglink=\(folder.path)/x/stripped.debug",
            program.path,
            "\(delivered.path)/stripped"
        )
        var report = report
        report.images[0].path = "\(delivered.path)/stripped"
        let whole = try report.symbolicated(with: program.path)
        let folders = [try #require(DebugFolder(folder.path))]
        #expect(report.symbolicated(in: folders).report == whole)
    }

    @Test func aSymbolicLinkToTheFolderIsTheFolder() throws {
        try keepDebugFile(at: "lib/any.debug")
        let other = try TemporaryFolder()
        #expect(symlink(folder.path, "\(other.path)/link") == 0)
        let link = try #require(DebugFolder("\(other.path)/link"))
        #expect(
            try report.symbolicated(in: [link]).report == report.symbolicated(with: program.path)
        )
    }

    @Test func thePathOfTheFolderMayOccurAgainBelowIt() throws {
        try keepDebugFile(at: "usr\(folder.path)/any.debug")
        #expect(try found().report == report.symbolicated(with: program.path))
    }

    /// Keeps a stripped program, and a debug file that is identified only by the checksum.
    ///
    /// - Returns: The size of the debug file.
    private func keepLinkedFiles() throws -> Int {
        let name = "\(folder.path)/stripped.debug"
        try keepDebugFile(at: "stripped.debug")
        try run("objcopy", "--remove-section=.note.gnu.build-id", name)
        let link = "--add-gnu-debuglink=\(name)"
        try run("objcopy", "--strip-all", link, program.path, "\(folder.path)/stripped")
        return try Data(contentsOf: URL(filePath: name)).count
    }

    @Test func aChecksumIsComputedOnce() throws {
        let size = try keepLinkedFiles()
        let sut = try #require(DebugFolder(folder.path, checksumLimit: 10 * size))
        let whole = try report.symbolicated(with: program.path)
        var other = report
        other.images[0].path = "/opt/other"
        #expect(sut.checksumBytes == 10 * size)
        for report in [report, report, other] {
            #expect(report.symbolicated(in: [sut]).report.frames == whole.frames)
            #expect(sut.checksumBytes == 9 * size)
        }
    }

    @Test func theChecksumsOfAFolderAreLimited() throws {
        let size = try keepLinkedFiles()
        let small = try #require(DebugFolder(folder.path, checksumLimit: size - 1))
        #expect(report.symbolicated(in: [small]).missing == [image])
        let large = try #require(DebugFolder(folder.path, checksumLimit: size))
        #expect(report.symbolicated(in: [large]).missing.isEmpty)
    }

    @Test func foldersAndLinksCountAsEntries() throws {
        try keepDebugFile(at: "a/any.debug")
        for name in ["x", "y"] {
            #expect(symlink("nowhere", "\(folder.path)/\(name)") == 0)
        }
        // The last entry belongs to the tool.
        let entries = ["x", "y", "a", "any.debug", "input"].count
        let all = try #require(DebugFolder(folder.path, entryLimit: entries))
        #expect(all.file(for: image)?.hasSuffix("/a/any.debug") == true)
        let fewer = try #require(DebugFolder(folder.path, entryLimit: entries - 1))
        #expect(fewer.file(for: image) == nil)
    }

    @Test func r20_aStrippedFileAloneAndAnotherBuildGiveNothing() throws {
        try run("objcopy", "--strip-all", program.path, "\(folder.path)/program")
        let other = try CompiledProgram("-g", "-DX", "-O1", "-Wl,--build-id=0x0102030405060708")
        try FileManager.default.copyItem(atPath: other.path, toPath: "\(folder.path)/other")
        let name = "\(folder.path)/.build-id/\(build.prefix(2))"
        try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: other.path,
            toPath: "\(name)/\(build.dropFirst(2)).debug"
        )
        let found = try found()
        #expect(found.report == report && found.missing == [image])
        #expect(DebugFolder("\(folder.path)/other") == nil && DebugFolder("/nowhere") == nil)
    }

    @Test func damagedFilesAndStrangeOnesAreSkipped() throws {
        let path = "\(folder.path)/a"
        #expect(mkfifo("\(folder.path)/pipe", 0o600) == 0)
        #expect(symlink("..", "\(folder.path)/loop") == 0)
        #expect(symlink("nowhere", "\(folder.path)/dangling") == 0)
        let whole = try Data(contentsOf: URL(filePath: program.path))
        var numbers = SeededGenerator(3)
        for round in 0..<60 {
            var bytes = whole
            if round % 2 == 0 {
                bytes = bytes.prefix(Int.random(in: 0..<whole.count, using: &numbers))
            } else {
                for _ in 0..<40 {
                    // Most of these bytes are in the headers.
                    let end = Bool.random(using: &numbers) ? 1_024 : whole.count
                    let index = Int.random(in: 20..<end, using: &numbers)
                    bytes[index] = .random(in: 0...255, using: &numbers)
                }
            }
            try bytes.write(to: URL(filePath: path))
            let found = try found()
            #expect(found.report.frames.count >= report.frames.count, "\(numbers)")
        }
        // The report is untrusted, too.
        var other = report
        other.images[0].buildID = "../../x"
        other.images.append(ReportedImage(path: "", buildID: build, start: 9, end: 1))
        #expect(other.symbolicated(in: [try #require(DebugFolder(folder.path))]).report == other)
    }

    @Test func r22_theReasonOfATrapInInlinedCodeIsFilledIn() throws {
        let source = """
            @inline(never) func pick(_ numbers: [Int], _ index: Int) -> Int {
                numbers[index]
            }
            print(pick(CommandLine.arguments.map(\\.count), 7))
            """
        try source.write(toFile: "\(folder.path)/main.swift", atomically: true, encoding: .utf8)
        let path = "\(folder.path)/program"
        try run("swiftc", "-O", "-g", "-Xlinker", "--build-id", "main.swift", "-o", path)
        let build = try BuildID.text(of: #require(BuildID.ofFile(path)))
        let file = try #require(ProgramFile(path))
        // The trap is in code of the library, inlined into the code of the program.
        let start = file.address(of: ".text")
        let places = start..<start + UInt64(file.range(of: ".text")?.count ?? 0)
        let functions = file.withSections { DebugInformation($0).functions(at: AddressSet(places)) }
        let index = try #require(
            functions.firstIndex { $0[...].first?.name.contains("Index out of range") == true }
        )
        var report = Report(level: .fatal, application: "test", release: "test@1")
        let base: UInt64 = 0x7000_0000_0000
        report.frames = [
            ReportedFrame(at: base + places[places.startIndex + UInt64(index)], .counter)
        ]
        report.images = [
            ReportedImage(path: "/opt/x", buildID: build, start: base, end: base + 0x100_0000)
        ]
        report.crash = ReportedCrash(signal: "SIGILL", numbered: 4, because: 2, on: 1)
        report.crash?.reason = "Fatal error: an earlier text"
        let found = report.symbolicated(in: [try #require(DebugFolder(folder.path))]).report
        #expect(found.crash?.reason == "Swift runtime failure: Index out of range")
        #expect(found.frames.contains { $0.function?.hasPrefix("pick") == true && $0.line == 2 })
        // A call that returns is not the place of the crash.
        report.frames[0].kind = .call
        report.crash?.reason = nil
        let caller = report.symbolicated(in: [try #require(DebugFolder(folder.path))]).report
        #expect(caller.crash?.reason == nil)
    }
}
#endif
