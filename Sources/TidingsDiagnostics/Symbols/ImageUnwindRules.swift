// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
/// Reads the unwind tables from the files of an ended process and keeps the files mapped.
///
/// Only files of the same build are read.
final class ImageUnwindRules: UnwindRules {
    private let images: ImageList
    /// The file of each image by start address, with nil for an unavailable file.
    private var files: [UInt64: ProgramFile?] = [:]

    init(_ images: ImageList) {
        self.images = images
    }

    func rule(at address: UInt64) throws(UnwindFault) -> UnwindRule? {
        guard let image = images.image(at: address), let file = file(of: image) else {
            throw .unavailable
        }
        let place = (address - image.start) &+ file.start
        let result = file.withSections { file in
            Result { () throws(UnwindFault) in try UnwindTable(file).rule(at: place) }
        }
        return try result.get()
    }

    private func file(of image: ImageList.Image) -> ProgramFile? {
        if let known = files[image.start] { return known }
        let file = OwnProgram.file(of: image).flatMap { ProgramFile($0) }
        files.updateValue(file, forKey: image.start)
        return file
    }
}
#endif
