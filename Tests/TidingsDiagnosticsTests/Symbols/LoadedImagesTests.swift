// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct LoadedImagesTests {
    private static let maps = """
        1000-2000 r--p 00000000 08:01 12 /opt/program
        2000-5000 r-xp 00001000 08:01 12 /opt/program
        5000-6000 rw-p 00004000 08:01 12 /opt/program
        7000-9000 rw-p 00000000 00:00 0 [heap]
        9000-a000 r--p 00000000 08:01 13 /opt/a library.so
        a000-b000 r-xp 00001000 08:01 13 /opt/a library.so
        b000-c000 r--p 00000000 08:01 12 /opt/program
        c000-d000 r--s 00000000 08:01 14 /opt/data
        d000-e000 r-xp 00000000 00:00 0 [vdso]
        nonsense
        f000-e000 r-xp 00000000 08:01 13 /opt/backwards
        """

    @Test func theFilesWithCodeAreFound() {
        let images = LoadedImages(Self.maps) { $0 == "/opt/program" ? "ab" : nil }.images
        #expect(
            images == [
                .init(path: "/opt/program", start: 0x1000, end: 0x5000, buildID: "ab"),
                .init(path: "/opt/a library.so", start: 0x9000, end: 0xB000, buildID: nil),
            ]
        )
    }

    @Test func deletedFilesKeepTheirNameButNotTheBuildIDOfAReplacement() throws {
        let maps = """
            1000-2000 r-xp 00000000 08:01 12 /opt/program (deleted)
            3000-4000 r-xp 00000000 08:01 13 /bin/sh (deleted)
            """
        let images = LoadedImages(maps) { OwnProgram.buildID(of: $0) }.images
        #expect(images.map(\.path) == ["/opt/program", "/bin/sh"])
        #expect(images.allSatisfy { $0.buildID == nil })
        #expect(OwnProgram.buildID(of: "/bin/sh") != nil)
    }

    #if os(Linux)
    @Test func theProgramAndTheRuntimeOfThisProcessAreListed() {
        let list = LoadedImages.ofThisProcess()
        let runtime = list.images.first { $0.name.hasPrefix("libswiftCore") }
        #expect(runtime?.buildID?.isEmpty == false || runtime == nil)
        #expect(list.images.count > 5, "\(list)")
        let here = CallStack().frames()
        #expect(here.count > 3)
        #expect(here.first.flatMap { list.image(at: $0.address) } != nil)
    }
    #endif
}
