// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing

/// A script with the name of a program, alone in its folder.
struct FakeProgram {
    /// Prints the properties of a film, as ffprobe does.
    static let properties = """
        echo '{"streams": [{"codec_type": "video", "codec_name": "h264", "width": 160, \
        "height": 90}], "format": {"format_name": "mp4", "duration": "2"}}'
        """

    let folder: TemporaryFolder
    let path: String

    init(_ name: String, _ script: String) throws {
        folder = try TemporaryFolder()
        path = folder.path + "/" + name
        let source = folder.path + "/source"
        try Data("#!/bin/sh\nPATH=/usr/bin:/bin\n\(script)\n".utf8).write(to: URL(filePath: source))
        // The kernel starts no file that is open for writing. A child that another test starts
        // meanwhile inherits what this process has open, so that another process writes it.
        #expect(system("install -m 700 '\(source)' '\(path)'") == 0)
    }
}
