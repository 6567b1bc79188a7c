// SPDX-License-Identifier: Apache-2.0

/// The files that are mapped into a process, used to symbolicate addresses of the process.
struct ImageList: Codable, Equatable, Sendable {
    struct Image: Codable, Equatable, Sendable {
        let path: String
        let start: UInt64
        let end: UInt64
        /// The build ID in lowercase hexadecimal, or nil if the file has none.
        let buildID: String?

        /// The last component of the path.
        var name: String {
            path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
        }

        func contains(_ address: UInt64) -> Bool { address >= start && address < end }
    }

    /// The processor architecture, such as `x86_64`.
    let architecture: String
    /// The images, sorted by address, without overlaps.
    let images: [Image]

    init(architecture: String, images: [Image]) {
        self.architecture = architecture
        var kept: [Image] = []
        for image in images.sorted(by: { $0.start < $1.start })
        where image.start < image.end && image.start >= kept.last?.end ?? 0 {
            kept.append(image)
        }
        self.images = kept
    }

    /// Returns the image that contains an address.
    func image(at address: UInt64) -> Image? {
        images.first { $0.contains(address) }
    }
}

extension ImageList {
    /// The suffix that the system adds to the path of a deleted file.
    private static let deleted = " (deleted)"

    /// Creates the list of the images of a crashed process.
    ///
    /// The list has the images mapped at the crash, and the earlier known images that do not
    /// overlap any of these.
    init(_ capture: RawCapture, known: ImageList?) {
        var mapped: [UInt64: Image] = [:]
        for mapping in capture.mappings {
            guard let base = mapping.base, base <= mapping.start else { continue }
            let isDeleted = mapping.path.hasSuffix(Self.deleted)
            let path = isDeleted ? mapping.path.dropLast(Self.deleted.count) : mapping.path[...]
            mapped[base] = Image(
                path: String(path),
                start: base,
                end: max(mapping.end, mapped[base]?.end ?? 0),
                buildID: mapping.buildID
            )
        }
        let others = (known?.images ?? []).filter { image in
            !mapped.values.contains { $0.start < image.end && image.start < $0.end }
        }
        let architecture = capture.architecture?.name ?? known?.architecture
        self.init(
            architecture: architecture ?? RawCapture.Architecture.own?.name ?? "",
            images: mapped.values + others
        )
    }
}

extension RawCapture.Architecture {
    /// The architecture of this process, or nil if the registers are not supported.
    static var own: Self? {
        #if arch(x86_64)
        .x86
        #elseif arch(arm64)
        .arm
        #else
        nil
        #endif
    }

    var name: String {
        switch self {
        case .x86: "x86_64"
        case .arm: "arm64"
        }
    }
}
