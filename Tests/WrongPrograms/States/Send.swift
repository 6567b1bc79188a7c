// SPDX-License-Identifier: Apache-2.0
// expect: renamed to 'updateData(_:)'
import Tidings

func load(_ names: StatePublisher<[String]>) {
    names.send(["Ada"])
}
