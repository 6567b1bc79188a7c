// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing

/// A script with the name of a program, in a folder without other programs.
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
        // The kernel starts no file that is open for writing. If this process wrote the file, a
        // child that another test starts could inherit the open file. Therefore another process
        // writes the file.
        #expect(system("install -m 700 '\(source)' '\(path)'") == 0)
    }
}
