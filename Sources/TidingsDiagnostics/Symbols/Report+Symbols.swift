// SPDX-License-Identifier: Apache-2.0
package import Foundation

extension Report {
    /// Decodes the file of a report, or returns nil for any other file.
    package init?(encoded data: Data) {
        guard let report = try? ReportFormat.decode(data) else { return nil }
        self = report
    }

    /// Decodes the report in a line of a ``FileSink``, or returns nil for a line without a report.
    package init?(delivered line: Data) {
        struct Line: Decodable {
            let report: Report?
        }
        guard let report = try? ReportFormat.decode(Line.self, line).report else { return nil }
        self = report
    }

    /// Returns the report in its file format.
    package func encoded() throws -> Data { try ReportFormat.encode(self) }
}

#if os(Linux)
extension Report {
    /// Adds the functions to the frames of a binary that was delivered without symbols.
    ///
    /// - Parameter binary: The path of a file of the same build with symbols, which is verified
    ///   by the build ID.
    /// - Returns: The report with these functions. Frames in other files are unchanged.
    /// - Throws: ``SymbolicationError`` if the report has no frame in that build.
    package func symbolicated(with binary: String) throws(SymbolicationError) -> Report {
        guard FileManager.default.isReadableFile(atPath: binary) else {
            throw SymbolicationError(
                .otherBuild,
                "\(binary) does not exist or cannot be read. Pass the program's file with symbols."
            )
        }
        guard let build = BuildID.ofFile(binary).map({ BuildID.text(of: $0) }) else {
            throw SymbolicationError(
                .otherBuild,
                "\(binary) has no build ID. Pass a program that was linked with --build-id."
            )
        }
        guard let image = images.first(where: { $0.buildID == build }) else {
            let known = images.compactMap { image in image.buildID.map { "\(image.path) \($0)" } }
            throw SymbolicationError(
                .otherBuild,
                "The report belongs to another build than \(binary) (\(build)). It names "
                    + (known.isEmpty ? "none." : known.joined(separator: ", ") + ".")
            )
        }
        return symbolicated(image, from: binary)
    }

    /// Adds the functions of the files whose debug files are in folders.
    ///
    /// - Parameter folders: The folders. The first folder with a file for an image counts.
    /// - Returns: The report with the functions, and the images of frames without functions for
    ///   which the folders have no file.
    package func symbolicated(
        in folders: [DebugFolder]
    ) -> (report: Report, missing: [ReportedImage]) {
        var report = self
        var missing: [ReportedImage] = []
        for image in images {
            let inImage = frames.filter { image.contains($0.address) }
            let isOfOthers = threads.contains { $0.frames.contains { image.contains($0.address) } }
            guard !inImage.isEmpty || isOfOthers else { continue }
            if let file = folders.lazy.compactMap({ $0.file(for: image) }).first {
                report = report.symbolicated(image, from: file)
            } else if inImage.contains(where: { $0.function == nil }) {
                missing.append(image)
            }
        }
        return (report, missing)
    }

    /// Adds the functions of one file, and the reason of a crash in the code of that file.
    private func symbolicated(_ image: ReportedImage, from binary: String) -> Report {
        var report = self
        let (frames, symbols) = frames(frames, in: image, from: binary)
        report.frames = frames
        report.threads = threads.map { thread in
            let found = self.frames(thread.frames, in: image, from: binary).frames
            return ReportedThread(number: thread.number, name: thread.name, frames: found)
        }
        // A report of a program with symbols follows the same rule. A trap in the program's own
        // code prints no text, so a reason from the text belongs to another event.
        let innermost = self.frames.first { !$0.isInlined }?.kind == .counter ? symbols : []
        let isReason = innermost.last?.isSystem == false || crash?.reason == nil
        if isReason, let failure = innermost.first(where: { $0.isRuntimeFailure }) {
            report.crash?.reason = failure.name
        }
        return report
    }

    /// Returns frames with the functions of a file, and the functions of the innermost call.
    private func frames(
        _ frames: [ReportedFrame],
        in image: ReportedImage,
        from binary: String
    ) -> (frames: [ReportedFrame], innermost: [Symbol]) {
        let file = ImageList.Image(
            path: binary,
            start: image.start,
            end: image.end,
            buildID: image.buildID
        )
        let list = ImageList(
            architecture: machine["architecture"] ?? RawCapture.Architecture.own?.name ?? "",
            images: [file]
        )
        // The frames are grouped by address, because an earlier symbolication may have added
        // inlined functions. The calling frame is last.
        var groups: [[ReportedFrame]] = [[]]
        for frame in frames {
            groups[groups.count - 1].append(frame)
            if !frame.isInlined { groups.append([]) }
        }
        let rest = groups.removeLast()
        let calls = groups.compactMap(\.last)
        let addresses = calls.map { RawCapture.Frame(address: $0.address, kind: $0.kind.captured) }
        // The binary is not searched by the build ID, which a file with the right checksum may
        // lack.
        let symbols = DebugSymbolicator { _ in binary }.symbols(of: addresses, images: list)
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
        return (found + rest, symbols.first ?? [])
    }
}
#endif
