// SPDX-License-Identifier: Apache-2.0
import Foundation
import Runtime
import Testing
import TidingsCoreFixtures

@testable import TidingsDiagnostics

#if os(Linux)
@Suite(.timeLimit(.minutes(15)))
struct SymbolicatorTests {
    private let sut = DebugSymbolicator()

    private let captureLine = #line + 4

    /// Returns the return addresses of the current calls.
    private func frames() throws -> [RawCapture.Frame] {
        try Backtrace.capture().frames.compactMap { frame in
            UInt64(frame.originalProgramCounter).map {
                RawCapture.Frame(address: $0, kind: .returns)
            }
        }
    }

    @Test func theBuildIDOfAFileIsRead() throws {
        let images = sut.captureImages()
        let own = try #require(images.images.first)
        #expect(own.buildID?.count == 40)
        #expect(BuildID.ofFile(own.path)?.count == 20)
        #expect(BuildID.ofFile("/etc/passwd") == nil)
        #expect(BuildID.ofFile("/nowhere") == nil)
        #expect(BuildID.ofFile("/") == nil)
    }

    @Test func anAddressLeadsToItsFunctionFileAndLine() throws {
        let images = sut.captureImages()
        let symbols = sut.symbols(of: try frames(), images: images).flatMap { $0 }
        let own = symbols.filter { $0.file?.hasSuffix("/SymbolicatorTests.swift") == true }
        let capture = own.first { $0.name.contains("frames()") }
        #expect(capture?.line == captureLine && capture?.isSystem == false)
        let nowhere = RawCapture.Frame(address: 16, kind: .returns)
        #expect(sut.symbols(of: [nowhere], images: images) == [[]])
    }

    @Test func aReplacedProgramStillFindsItsFunctions() throws {
        let images = sut.captureImages()
        let here = try frames()
        let path = try #require(
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        )
        let replaced = ImageList(
            architecture: images.architecture,
            images: images.images.filter { $0.path == path }.map { image in
                // Another file is now at the path of this image.
                let (start, end) = (image.start, image.end)
                return .init(path: "/bin/sh", start: start, end: end, buildID: image.buildID)
            }
        )
        let symbols = sut.symbols(of: here, images: replaced).flatMap { $0 }
        let own = symbols.filter { $0.file?.hasSuffix("/SymbolicatorTests.swift") == true }
        #expect(own.contains { $0.name.contains("frames()") })
    }

    @Test func r20_anotherBuildOfTheFileIsNotRead() throws {
        let images = sut.captureImages()
        let others = ImageList(
            architecture: images.architecture,
            images: images.images.map { image in
                ImageList.Image(
                    path: image.path,
                    start: image.start,
                    end: image.end,
                    buildID: image.buildID.map { String($0.reversed()) }
                )
            }
        )
        let here = try frames()
        let found = sut.symbols(of: here, images: others)
        #expect(found == here.map { _ in [] })
    }

    @Test(arguments: [RawCapture.FrameKind.counter, .returns])
    func theFirstAndTheLastAddressHaveNoFunction(_ kind: RawCapture.FrameKind) throws {
        let program = try CompiledProgram("-g")
        let images = ImageList(
            architecture: "x86_64",
            images: [.init(path: program.path, start: 0x1000, end: 0x9000, buildID: nil)]
        )
        let frame = RawCapture.Frame(address: 0x1000, kind: kind)
        let sut = DebugSymbolicator { _ in program.path }
        #expect(sut.symbols(of: [frame], images: images) == [[]])
        // A malformed file may name any address for the first byte.
        var bytes = try Data(contentsOf: URL(filePath: program.path))
        let table = Int(bytes[32]) | Int(bytes[33]) << 8
        let entries = (0..<Int(bytes[56])).map { table + 56 * $0 }
        let loaded = try #require(entries.first { bytes[$0] == 1 })
        for index in loaded + 16..<loaded + 24 { bytes[index] = 0xFF }
        try bytes.write(to: URL(filePath: program.path))
        #expect(ProgramFile(program.path)?.start == .max)
        #expect(sut.symbols(of: [frame], images: images) == [[]])
    }

    @Test func r11_aMalformedFileHasNoBuildID() throws {
        let folder = try TemporaryFolder()
        let own = try #require(sut.captureImages().images.first)
        let file = try #require(FileHandle(forReadingAtPath: own.path))
        let head = try #require(try file.read(upToCount: 4_096))
        let path = "\(folder.path)/file"
        var random = SeededGenerator(11)
        for round in 0..<200 {
            var bytes = head.prefix(round < 100 ? round * 40 : head.count)
            for _ in 0..<(round < 100 ? 0 : 20) {
                let index = Int.random(in: 16..<512, using: &random)
                bytes[index] = .random(in: 0...255, using: &random)
            }
            try bytes.write(to: URL(filePath: path))
            // The call returns for any file content.
            _ = BuildID.ofFile(path)
        }
        #expect(
            BuildID.ofFile(path) == nil || BuildID.ofFile(path)?.isEmpty == false,
            "\(random)"
        )
    }
}
#endif
