// SPDX-License-Identifier: Apache-2.0
import TidingsErrors

/// Decodes key pictures of H.264, each by itself, to find out whether a player can decode the
/// pictures.
struct PictureDecoder {
    /// The sets of parameters for all pictures.
    let parameterSets: [[UInt8]]

    private static let start: [UInt8] = [0, 0, 0, 1]
    private static let delimiter: [UInt8] = [0x09, 0x10]
    private static let endOfSequence: [UInt8] = [0x0A]

    /// Returns whether every picture is decoded completely and without an error.
    ///
    /// - Parameter pictures: The slices of each picture.
    /// - Returns: The result, or nil if the decoder was stopped, which shows nothing.
    /// - Throws: `.cancelled` or `.toolMissing`.
    func canDecode(_ pictures: [[[UInt8]]]) async throws(MediaError) -> Bool? {
        // Threads that decode pictures side by side return a picture before the errors are known.
        let arguments = [
            "-nostdin", "-hide_banner", "-loglevel", "error", "-xerror", "-err_detect", "explode",
            "-threads", "1", "-protocol_whitelist", "pipe", "-format_whitelist", "h264",
            "-f", "h264", "-c:v", "h264", "-i", "pipe:0",
            "-fps_mode", "passthrough", "-f", "framecrc", "pipe:1",
        ]
        var child = ChildProcess(
            executable: try MediaTool.ffmpeg.path(),
            arguments: arguments,
            input: .bytes(stream(of: pictures))
        )
        child.limits.fileBytes = 0
        do throws(MediaError) {
            let result = try await child.run()
            guard case .exited(let code) = result.status else { return nil }
            // The decoder leaves out a picture with a wrong header, and the exit code stays 0.
            let lines = result.output.split(separator: UInt8(ascii: "\n"))
            return code == 0 && lines.count { $0.first != UInt8(ascii: "#") } == pictures.count
        } catch {
            guard error.code == .timedOut else { throw error }
            return nil
        }
    }

    private func stream(of pictures: [[[UInt8]]]) -> [UInt8] {
        var units = parameterSets
        for picture in pictures {
            units.append(Self.delimiter)
            units += picture
            units.append(Self.endOfSequence)
        }
        return Array(units.map { Self.start + $0 }.joined())
    }
}
