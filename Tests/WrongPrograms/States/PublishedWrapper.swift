// SPDX-License-Identifier: Apache-2.0
// expect: unknown attribute 'Published'
import Tidings

final class Model {
    @Published var names: [String] = []
}
