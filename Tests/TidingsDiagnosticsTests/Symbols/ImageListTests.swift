// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct ImageListTests {
    private func image(_ path: String, _ start: UInt64, _ end: UInt64) -> ImageList.Image {
        ImageList.Image(path: path, start: start, end: end, buildID: "01")
    }

    @Test func imagesAreOrderedAndNoneLiesInAnotherOne() {
        let sut = ImageList(
            architecture: "x86_64",
            images: [image("/b", 8, 9), image("/a", 1, 5), image("/c", 4, 6), image("/d", 7, 7)]
        )
        #expect(sut.images.map(\.path) == ["/a", "/b"])
        #expect(sut.image(at: 4)?.name == "a" && sut.image(at: 5) == nil)
    }

    @Test func mappingsOfTheCrashOverrideEarlierImages() throws {
        var bytes = CaptureBytes()
        bytes.mappings = [
            .init(start: 0x1000, end: 0x2000, base: 0x800, path: "/opt/plugin.so (deleted)"),
            .init(start: 0x3000, end: 0x4000, base: 0x800, path: "/opt/plugin.so (deleted)"),
            .init(start: 0x5000, end: 0x6000, base: 0, path: "/opt/headless"),
        ]
        let known = ImageList(
            architecture: "arm64",
            images: [image("/old", 0x1800, 0x1900), image("/films", 0x7000, 0x8000)]
        )
        let sut = ImageList(try #require(RawCapture(bytes.bytes)), known: known)
        #expect(sut.architecture == "x86_64")
        #expect(sut.images.map(\.path) == ["/opt/plugin.so", "/films"])
        #expect(sut.images.first?.start == 0x800 && sut.images.first?.end == 0x4000)
        #expect(sut.images.first?.buildID == "0a00ff")
    }
}
