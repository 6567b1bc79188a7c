// SPDX-License-Identifier: Apache-2.0
package import Foundation

extension Report {
    /// Decodes the file of a report; nil if it is not one.
    package init?(encoded data: Data) {
        guard let report = try? ReportFormat.decode(data) else { return nil }
        self = report
    }

    /// Returns the report in its file format.
    package func encoded() throws -> Data { try ReportFormat.encode(self) }
}

#if os(Linux)
extension Report {
    /// Adds the functions to the frames of a binary that was delivered without symbols.
    ///
    /// - Parameter binary: The path of the same build with symbols, which its build ID verifies.
    /// - Returns: The report with these functions; frames in other files are unchanged.
    /// - Throws: ``DiagnosticsError`` with `.otherBuild` if the report has no frame in that build.
    package func symbolicated(with binary: String) throws(DiagnosticsError) -> Report {
        guard FileManager.default.isReadableFile(atPath: binary) else {
            throw DiagnosticsError(
                .otherBuild,
                "\(binary) does not exist or cannot be read. Pass the program's file with symbols."
            )
        }
        guard let build = BuildID.ofFile(binary).map({ BuildID.text(of: $0) }) else {
            throw DiagnosticsError(
                .otherBuild,
                "\(binary) has no build ID. Pass a program that was linked with --build-id."
            )
        }
        guard let image = images.first(where: { $0.buildID == build }) else {
            let known = images.compactMap { image in image.buildID.map { "\(image.path) \($0)" } }
            throw DiagnosticsError(
                .otherBuild,
                "The report belongs to another build than \(binary) (\(build)). It names "
                    + (known.isEmpty ? "none." : known.joined(separator: ", ") + ".")
            )
        }
        var report = self
        report.frames = Self.frames(self, in: image, from: binary)
        return report
    }

    private static func frames(
        _ report: Report,
        in image: ReportedImage,
        from binary: String
    ) -> [ReportedFrame] {
        let file = ImageList.Image(
            path: binary,
            start: image.start,
            end: image.end,
            buildID: image.buildID
        )
        let list = ImageList(
            architecture: report.machine?.architecture ?? RawCapture.Architecture.own?.name ?? "",
            images: [file]
        )
        // Groups the frames by address, because an earlier symbolication may have added inlined
        // functions; the calling frame is last.
        var groups: [[ReportedFrame]] = [[]]
        for frame in report.frames {
            groups[groups.count - 1].append(frame)
            if !frame.isInlined { groups.append([]) }
        }
        let rest = groups.removeLast()
        let calls = groups.compactMap(\.last)
        let addresses = calls.map { RawCapture.Frame(address: $0.address, kind: $0.kind.captured) }
        let symbols = DebugSymbolicator().symbols(of: addresses, images: list)
        let found = zip(groups, symbols).flatMap { group, symbols -> [ReportedFrame] in
            guard let call = group.last, !symbols.isEmpty else { return group }
            return symbols.map { symbol in
                var frame = call
                frame.function = symbol.name
                frame.file = symbol.file
                frame.line = symbol.line
                frame.isInlined = symbol.isInlined
                frame.isSystem = symbol.isSystem || symbol.isRuntimeFailure
                return frame
            }
        }
        return found + rest
    }
}
#endif
